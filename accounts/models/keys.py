"""The keys by which other machines know this site."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class SiteKey(models.Model):
    """A pair of keys, made when the tables are. In the database, so that every process of the site has the same one."""

    name = models.CharField(max_length=16, primary_key=True)
    private = models.CharField(max_length=64)
    public = models.CharField(max_length=128)

    class Meta:
        verbose_name = _("key of the site")
        verbose_name_plural = _("keys of the site")

    def __str__(self) -> str:
        return self.name
