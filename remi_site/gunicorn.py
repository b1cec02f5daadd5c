"""How gunicorn serves the site, everywhere: `gunicorn --config python:remi_site.gunicorn`."""

from remi_site import env

wsgi_app = "remi_site.wsgi:application"
worker_class = "gthread"
workers = env.number("WEB_WORKERS", 2)
threads = env.number("WEB_THREADS", 4)
keepalive = 15
timeout = 30
graceful_timeout = 5
loglevel = "warning"
control_socket_disable = True
