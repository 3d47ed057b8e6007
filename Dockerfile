FROM python:3.11-slim

WORKDIR /croupier
# With --build-arg REQUIREMENTS=requirements-observability.txt it can send traces and reports of faults.
ARG REQUIREMENTS=requirements.txt
COPY requirements.txt requirements-observability.txt ./
RUN pip install --no-cache-dir --require-hashes --only-binary :all: -r $REQUIREMENTS

# A new volume takes over the owner of the folder it is mounted on.
RUN useradd --system --uid 10001 --no-create-home croupier \
    && install -d -o croupier -m 0755 /secrets/app /secrets/owner /secrets/broker \
    && install -d -o croupier -m 0700 /data

COPY manage.py ./
COPY config config
COPY events events
COPY games games
COPY matches matches
COPY docs/first-main-match.md docs/

USER croupier
ENV PYTHONUNBUFFERED=1 PYTHONFAULTHANDLER=1 CROUPIER_DATA=/data
EXPOSE 8000
CMD ["python", "-m", "config.server.serve", "--host", "0.0.0.0"]
