# One image for web, worker and beat: compose.yaml says which is which.
FROM python:3.11-slim

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /srv/remi

COPY requirements.txt .
RUN pip install -r requirements.txt && useradd --system --no-create-home remi

COPY . .
# Translations and static files are part of the image; the key is for this step alone and signs nothing.
RUN python -m remi_site.catalogues compile \
 && SECRET_KEY=for-the-build-alone python manage.py collectstatic --no-input --verbosity 0

USER remi
EXPOSE 8000
CMD ["gunicorn", "--config", "python:remi_site.gunicorn", "--bind", "0.0.0.0:8000"]
