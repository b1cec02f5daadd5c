"""Deals and hands: the snapshot that a turn is played on, and the sealed answers to the exchange."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games import engine
from games.models.log import Entry
from games.models.tables import Game


class Deal(models.Model):
    """One deal: its secret deck and the public state of the snapshot."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="deals")
    number = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField()
    algorithm = models.CharField(max_length=16, default=engine.SEALED)
    """Of the shuffle (docs/shuffle.md)."""
    seed = models.BinaryField(max_length=engine.SEED_BYTES)
    contributions = models.JSONField(default=list)
    """What the seats have added to the shuffle, by seat: a text or null; empty where none has."""
    deck = models.TextField()
    state = models.JSONField()
    """`engine.dump`: secret too, for it may hold the hand that the turn began with."""
    reason = models.CharField(max_length=10, blank=True)
    """Why it ended; empty while it lasts."""
    out = models.PositiveSmallIntegerField(null=True, blank=True)
    scored = models.BooleanField(default=False)
    """Whether its points have been counted. Those of a `voided` deal count no more."""
    voided = models.BooleanField(default=False)
    """Whether a referee has declared it void: it stays to be looked at, over or not, and counts for nothing."""
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    turns = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("deal")
        verbose_name_plural = _("deals")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="one_row_per_deal"),
            models.UniqueConstraint(fields=["game"], name="one_deal_at_a_time", condition=Q(scored=False, voided=False)),
            models.CheckConstraint(condition=Q(scored=False) | ~Q(reason=""), name="only_ended_deals_are_scored"),
            models.CheckConstraint(
                condition=Q(reason="", ended_at=None) | (~Q(reason="") & Q(ended_at__isnull=False)),
                name="ended_deals_have_an_end",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}#{self.number}"

    @property
    def closed(self) -> bool:
        """Whether nobody plays in it any more, so that nothing of it is secret."""
        return self.scored or self.voided


class Hand(models.Model):
    """What a seat holds, has laid and has scored in a deal."""

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="hands")
    seat = models.PositiveSmallIntegerField()
    cards = models.JSONField(default=list)
    laid = models.IntegerField(default=0)
    score = models.IntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("hand")
        verbose_name_plural = _("hands")
        ordering: ClassVar = ["seat"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["deal", "seat"], name="one_hand_per_seat")]

    def __str__(self) -> str:
        return f"{self.deal_id}/{self.seat}"


class Answer(models.Model):
    """What a seat that holds a double is asked before play (§4.3), and its answer, sealed until the deal is over.

    A row without text is a seat still to answer. Nothing else tells, not the log nor the version of the game: the answers
    become moves once the last is given.
    """

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="answers")
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=8, blank=True)
    """In notation: `X:pass`, `X:5R`, `X:spoil`."""
    actor = models.CharField(max_length=8, choices=Entry.Actor, blank=True)
    at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("answer to the exchange")
        verbose_name_plural = _("answers to the exchange")
        ordering: ClassVar = ["seat"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["deal", "seat"], name="one_answer_per_seat"),
            models.CheckConstraint(
                condition=Q(text="", actor="", at=None)
                | Q(text__startswith="X:", actor__in=["player", "clock", "computer"], at__isnull=False),
                name="answers_are_whole_or_missing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.deal_id}/{self.seat}"
