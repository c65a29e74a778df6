# One image for every part: web, match host, worker (docker-compose.yml says which).
# A CPU-only image is smaller: build with --build-arg PIP_EXTRA_INDEX_URL=<address of PyTorch's CPU wheels>.
FROM python:3.11-slim-trixie

ARG PIP_EXTRA_INDEX_URL=""
ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1

# For `manage.py backup` and `restore`: not older than the server's.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*

# No root: the code is read-only, everything written goes to /data.
RUN useradd --create-home --uid 10001 coplay && mkdir /data && chown coplay /data
WORKDIR /app
COPY requirements.lock .
RUN pip install -r requirements.lock
COPY manage.py pyproject.toml requirements.lock ./
COPY engine engine
COPY webapp webapp
COPY workers workers
COPY templates templates
COPY static static

ENV COPLAY_VAR=/data COPLAY_STATIC_ROOT=/app/staticfiles COPLAY_PRODUCTION=1
RUN python -m compileall -q engine webapp workers && mkdir -p /app/staticfiles \
    && COPLAY_SECRET_KEY=only-for-this-step COPLAY_VAR=/tmp/build python manage.py collectstatic --no-input \
    && rm -rf /tmp/build
USER coplay
EXPOSE 8000
CMD ["uvicorn", "webapp.config.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--no-proxy-headers", \
     "--timeout-graceful-shutdown", "10", "--ws", "webapp.host.sockets:PromptSocket", \
     "--ws-max-size", "65536", "--ws-per-message-deflate", "false"]
