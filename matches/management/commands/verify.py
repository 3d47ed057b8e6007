"""manage.py verify FILE | --all: verify an export, or the whole database."""

import os
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from events import verifying
from events.checkpoints import outside
from games.kernel import quantity
from matches.audit import croupier_verify, export, replay, verify_all
from matches.audit.verify_all import Checked
from matches.seasons import archive

_MOST_PRINTED = 20


class Command(BaseCommand):
    help = (
        "Check the chain, the secrets, the seed, the draws and the checkpoint of an export, then replay it by the "
        "rules; or with --all check every stream of the database against the signed checkpoints."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="an export")
        parser.add_argument("--all", action="store_true", dest="whole", help="verify the whole database")
        parser.add_argument(
            "--rules", action="store_true", help="decide every act of finished matches again by the games' rules"
        )
        parser.add_argument(
            "--no-draws", action="store_true", help="accept records without draws although their seed is revealed"
        )
        parser.add_argument("--key", help="the service's verifier key, or a file with it; --all uses its own")
        parser.add_argument(
            "--checkpoints", type=Path, help="the folder with stored checkpoints, by default the service's own"
        )
        parser.add_argument(
            "--processes", type=int, default=os.cpu_count() or 1, help="the number of processes with --all"
        )

    def handle(self, *args: Any, file: Path | None, whole: bool, **options: Any) -> None:
        """Print that the record or database is valid; raise CommandError with the first fault of a record, or all
        faults."""
        if (file is None) != whole:
            raise CommandError("Name a file, or use --all.", returncode=2)
        options["key"] = _key(options["key"])
        if file is None:
            self._verify_all(options)
        else:
            self._verify(file, options)

    def _verify(self, file: Path, options: dict[str, Any]) -> None:
        rules, key = options["rules"], options["key"]
        if zipfile.is_zipfile(file):
            self._verify_archive(file, options)
            return
        try:
            data = file.read_bytes()
        except OSError as error:
            raise CommandError(f"Can't read {file}: {error}", returncode=2) from None
        try:
            lines, summary, undone = croupier_verify.check_file(data, key, options["no_draws"])
            if croupier_verify.is_season(lines[0]):
                self._print_season(summary, lines)
                _refuse_changed(undone)
                _refuse_uncovered([summary], key)
                return
            export.replay(lines)
            judged = replay.judged(lines) if rules and summary["seed"] else None
        except croupier_verify.Bad as bad:
            raise CommandError(bad.report(), returncode=bad.status) from None
        extent = f"{quantity(summary['events'], 'event')}, {quantity(summary['opened'], 'secret')} open"
        self.stdout.write(f"{summary['match']} ({summary['game']}) holds: {extent}.")
        self.stdout.write("The seed is the one promised." if summary["seed"] else "The seed is still sealed.")
        if summary["seeds"] - summary["seed"]:
            self.stdout.write(_sentence(croupier_verify.reopened_sentence(summary)))
        if summary["seed"]:
            self.stdout.write(_sentence(croupier_verify.draws_sentence(summary)))
        if summary["nonces"] is not None:
            self.stdout.write(croupier_verify.nonces_sentences(summary["nonces"]))
        if summary["withdrawn"]:
            self.stdout.write(_sentence(croupier_verify.withdrawn_sentence(summary)))
        self.stdout.write(_sentence(croupier_verify.coverage_sentence(summary)))
        if summary["seed"]:
            self.stdout.write("Replayed by the rules: the outcome is the recorded one.")
        else:
            self.stdout.write("Replayed by the rules.")
        if not summary["over"]:
            self.stdout.write("It isn't over: there is no outcome yet, and acts can't be judged.")
        if judged:
            acts = quantity(judged.acts, "act")
            self.stdout.write(f"Decided again by the rules: {acts}, each with a command that gives it.")
        if judged and judged.programmed:
            self.stdout.write(f"Moves of the house's programs, each the one that the seed gives: {judged.programmed}.")
        if judged and judged.unprogrammed:
            self.stdout.write(f"Moves of programs of another release, which aren't known here: {judged.unprogrammed}.")
        if judged and judged.undecided:
            versions = ", ".join(map(str, judged.undecided))
            self.stdout.write(f"Not decided again, as they need texts that were withdrawn: the acts at {versions}.")
        _refuse_changed(undone)
        _refuse_uncovered([summary], key)
        _refuse_sealed([summary])

    def _print_season(self, summary: dict[str, Any], lines: list[str]) -> None:
        archive.replay(lines)
        self.stdout.write(
            f"Season {summary['season']} holds: {quantity(summary['events'], 'event')}; its ledger adds up."
        )
        self.stdout.write(_sentence(croupier_verify.coverage_sentence(summary)))
        self.stdout.write("Replayed: the champion is the recorded one.")

    def _verify_archive(self, file: Path, options: dict[str, Any]) -> None:
        rules, key = options["rules"], options["key"]
        try:
            summaries = croupier_verify.verify_archive(file, key, options["no_draws"])
            judged = [acts for lines in _records(file) if (acts := _judge(*lines, rules)) is not None]
        except croupier_verify.Bad as bad:
            raise CommandError(bad.report(), returncode=bad.status) from None
        self.stdout.write(f"{file} holds, with {quantity(len(summaries), 'record')}.")
        for line in croupier_verify.archive_sentences(summaries):
            self.stdout.write(_sentence(line))
        self.stdout.write("Replayed by the rules: the outcomes of those that are over are the recorded ones.")
        if judged:
            matches = quantity(len(judged), "finished match", "finished matches")
            self.stdout.write(f"Decided again by the rules: {quantity(sum(judged), 'act')} of {matches}.")
        _refuse_uncovered(summaries, key)
        _refuse_sealed(summaries)

    def _verify_all(self, options: dict[str, Any]) -> None:
        folder = options["checkpoints"] or settings.CHECKPOINTS
        if options["checkpoints"] and not folder.is_dir():
            raise CommandError(f"There is no folder {folder}.")
        began, faults, done = time.monotonic(), [], Checked(0, 0, 0, 0, [])
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(file=self.stderr._out)) as bar:
            task = bar.add_task("streams", total=verifying.count())

            def progress(checked: Checked) -> None:
                nonlocal done
                done = Checked(*(a + b for a, b in zip(done, checked, strict=True)))
                bar.update(task, completed=done.streams)

            for fault in verify_all.faults(
                folder=options["checkpoints"],
                key=options["key"],
                rules=options["rules"],
                processes=max(1, options["processes"]),
                progress=progress,
            ):
                faults.append(fault)
                if len(faults) <= _MOST_PRINTED:
                    self.stdout.write(f"BROKEN: {fault}")
        seconds = max(time.monotonic() - began, 1e-6)
        extent = f"{quantity(done.streams, 'stream')}, {quantity(done.events, 'event')}"
        rate = f"{seconds:.1f} s, {done.events / seconds:,.0f} events a second"
        if options["rules"]:
            rate += f", {quantity(done.draws, 'draw')} drawn again"
            if done.sealed:
                rate += f", {quantity(done.sealed, 'match', 'matches')} over and sealed until the end of their season"
        against = f"checked against {folder}"
        if not any(outside.copies(folder)):
            against = f"but {folder} holds no copy of a checkpoint, so that nothing outside was checked"
        if faults:
            raise CommandError(f"{quantity(len(faults), 'fault')} in {extent} ({rate}), {against}.")
        self.stdout.write(f"All holds: {extent} ({rate}), {against}.")


def _key(text: str | None) -> str | None:
    try:
        return croupier_verify.key_named(text) if text is not None else None
    except (OSError, ValueError) as error:
        raise CommandError(f"That is no verifier key: {error}", returncode=2) from None


def _refuse_changed(undone: list[str]) -> None:
    """Raise CommandError with status 4 if a program has changed the file, although its record is valid."""
    if undone:
        raise CommandError(f"CHANGED IN TRANSIT: {croupier_verify.undone_sentence(undone)}.", returncode=4)


def _refuse_uncovered(summaries: list[dict[str, Any]], key: str | None) -> None:
    """Raise CommandError with status 3 if a key was given, and it has signed no checkpoint with some of the events."""
    uncovered = croupier_verify.uncovered(summaries) if key is not None else ""
    if uncovered:
        raise CommandError(f"NOT COVERED: {uncovered}.", returncode=3)


def _refuse_sealed(summaries: list[dict[str, Any]]) -> None:
    """Raise CommandError with status 5 if secrets of matches that are over open with the end of their season."""
    if sealed := croupier_verify.sealed_sentence(summaries):
        raise CommandError(f"SEALED UNTIL {sealed}.", returncode=5)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _records(archive: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and lines of each match's record in an archive."""
    with zipfile.ZipFile(archive) as opened:
        for name in sorted(opened.namelist()):
            if name.startswith("records/"):
                yield name, opened.read(name).decode().removesuffix("\n").split("\n")


def _judge(name: str, lines: list[str], judged: bool) -> int | None:
    """Return the number of acts that were decided again; None if the record was only replayed."""
    try:
        export.replay(lines)
        return replay.judged(lines).acts if judged and replay.is_judgeable(lines) else None
    except croupier_verify.Bad as bad:
        raise croupier_verify.Bad(bad.version, f"{name}: {bad.reason}") from None
