"""The output of bin/test --coverage."""

from tests.coverage_of_packages import by_package, table_of


def counted(statements: int, lines: int, branches: int = 0, taken: int = 0) -> dict[str, dict[str, int]]:
    """Return coverage's entry of a file."""
    summary = {
        "num_statements": statements,
        "covered_lines": lines,
        "num_branches": branches,
        "covered_branches": taken,
    }
    return {"summary": summary | {"missing_lines": statements - lines}}


def test_files_are_summed_by_package_two_folders_deep() -> None:
    files = {
        "games/pentagram/rules.py": counted(30, 30, 8, 2),
        "matches/web/views.py": counted(10, 5),
        "matches/web/play/context.py": counted(10, 10, 4, 4),
        "matches/table.py": counted(5, 0),
    }
    sums = by_package(files)
    assert list(sums) == ["games/pentagram", "matches", "matches/web"]
    rows = [line.split() for line in table_of(sums).splitlines()]
    assert rows[2:] == [
        ["matches", "5", "0.0%", "0", "-"],
        ["matches/web", "20", "75.0%", "4", "100.0%"],
        ["all", "55", "81.8%", "12", "50.0%"],
    ]
