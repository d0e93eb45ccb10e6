"""How refgen comes to other machines: the container, the GitHub Action, the pre-commit hook, completion in shells."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest
from check_jsonschema.builtin_schemas import get_builtin_schema
from jsonschema import validators
from ruamel.yaml import YAML

from tests.pipeline.test_tutorial import write_lantern

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
CONTAINERFILE = (ROOT / "Containerfile").read_text(encoding="utf-8")
INSTRUCTIONS = re.findall(r"^([A-Z]+) (.*)$", CONTAINERFILE, re.MULTILINE)
BUILDERS = ("podman", "docker")


def loaded(text: str) -> Any:
    return YAML(typ="safe").load(text)


ACTION = loaded((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}


def run(*command: str | Path, folder: Path, code: int = 0, variables: Mapping[str, str] = {}) -> str:
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", **variables}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout


# The container


def test_the_container_names_its_base_in_one_place_and_runs_without_rights() -> None:
    assert len(re.findall(r"docker\.io\S+", CONTAINERFILE)) == 1
    assert {words.split()[0] for name, words in INSTRUCTIONS if name == "FROM"} == {"${BASE}"}
    (user,) = [words for name, words in INSTRUCTIONS if name == "USER"]
    assert all(int(part) > 0 for part in user.split(":"))
    assert [name for name, _ in INSTRUCTIONS].index("USER") > max(
        place for place, (name, _) in enumerate(INSTRUCTIONS) if name in ("RUN", "COPY")
    )


def test_the_container_copies_what_a_wheel_is_made_of_and_what_its_steps_run() -> None:
    copied = [words.split()[:-1] for name, words in INSTRUCTIONS if name == "COPY" and "--from" not in words]
    names = {name for group in copied for name in group}
    assert [name for name in names if not (ROOT / name).exists()] == []
    assert {"refgen", "templates", "content", "pyproject.toml", "requirements.lock"} <= names
    runs = [words.split()[0] for name, words in INSTRUCTIONS if name == "RUN"]
    assert {Path(script).name for script in runs} == {Path(name).name for name in names if name.startswith(".ci/")}
    assert all(os.access(ROOT / name, os.X_OK) for name in names if name.startswith(".ci/"))


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder that a user without rights can reach, unlike those of pytest."""
    with TemporaryDirectory(prefix="refgen-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.soak
@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="only root can act as another user")
def test_what_the_container_copies_installs_and_works_for_a_user_without_rights(elsewhere: Path) -> None:
    """The steps of the Containerfile without a container; `.ci/system-packages` is run by every `make`."""
    for name, words in INSTRUCTIONS:
        *sources, target = words.split()
        if name == "COPY" and not target.startswith("/"):
            for source in sources:
                to = elsewhere / "source" / (source if target == "./" else target)
                to.parent.mkdir(parents=True, exist_ok=True)
                (shutil.copytree if (ROOT / source).is_dir() else shutil.copy2)(ROOT / source, to)
    (install,) = [words for name, words in INSTRUCTIONS if name == "RUN" and words.startswith(".ci/install")]
    run("bash", "-c", install.replace("/opt/refgen", f"{elsewhere}/refgen"), folder=elsewhere / "source")
    project = elsewhere / "project"
    write_lantern(project)
    writable = elsewhere / "tmp"
    writable.mkdir()
    for path in (writable, project, *project.rglob("*")):
        os.chown(path, 1000, 1000)
    variables = {"HOME": str(writable), "TMPDIR": str(writable), "REFGEN_CACHE": str(writable / "refgen")}
    as_user: list[str | Path] = [
        "setpriv",
        "--reuid",
        "1000",
        "--regid",
        "1000",
        "--clear-groups",
        elsewhere / "refgen/bin/refgen",
    ]
    run(*as_user, "build", "--strict", folder=project, variables=variables)
    assert (project / "build" / "lantern" / "gm-screen-a4.pdf").stat().st_uid == 1000


def builder() -> str | None:
    """A program that builds containers here, if there is one that works."""
    for name in filter(shutil.which, BUILDERS):
        if subprocess.run([name, "info"], capture_output=True, check=False).returncode == 0:
            return name
    return None


@pytest.mark.soak
def test_the_container_builds_and_runs_with_a_root_that_nothing_writes_to(tmp_path: Path) -> None:
    name = builder()
    if name is None:
        pytest.skip("neither podman nor docker works here")
    run(name, "build", "-t", "refgen-test", "-f", "Containerfile", ".", folder=ROOT)
    write_lantern(tmp_path)
    mounted = ["--read-only", "--tmpfs", "/tmp", "-v", f"{tmp_path}:/project:ro"]
    run(name, "run", "--rm", *mounted, "refgen-test", "build", "--strict", "-o", "/tmp/out", folder=tmp_path)


# The GitHub Action


@pytest.mark.parametrize("kind", ["actions", "workflows"])
def test_the_action_and_the_workflow_of_the_docs_fit_the_schemas_of_github(kind: str) -> None:
    howto = (ROOT / "docs" / "howto.md").read_text(encoding="utf-8")
    (workflow,) = re.findall(r"`\.github/workflows/.*?```yaml\n(.*?)```", howto, re.DOTALL)
    schema = get_builtin_schema(f"vendor.github-{kind}")
    check = validators.validator_for(schema)(schema)
    data = ACTION if kind == "actions" else loaded(workflow)
    assert [fault.message for fault in check.iter_errors(data)] == []
    assert [*check.iter_errors({**data, "runs" if kind == "actions" else "jobs": 1})] != []


def test_other_actions_are_pinned_to_commits_and_inputs_are_no_part_of_scripts() -> None:
    used = [step["uses"] for step in STEPS.values() if "uses" in step]
    assert used
    assert [name for name in used if not re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", name)] == []
    assert [step["run"] for step in STEPS.values() if "${{" in step.get("run", "")] == []


@pytest.mark.parametrize(
    ("event", "head", "builds"),
    [
        ("push", "", True),
        ("schedule", "", True),
        ("workflow_dispatch", "", True),
        ("pull_request", "us/game", True),
        ("pull_request", "stranger/game", False),
        ("pull_request_target", "stranger/game", False),
        ("workflow_run", "", False),
        ("issue_comment", "", False),
    ],
)
def test_templates_of_strangers_are_never_rendered(event: str, head: str, builds: bool) -> None:
    condition = STEPS["Build"]["if"].replace("||", "or").replace("&&", "and")
    fork = SimpleNamespace(head=SimpleNamespace(repo=SimpleNamespace(full_name=head)))
    github = SimpleNamespace(event_name=event, repository="us/game", event=SimpleNamespace(pull_request=fork))
    known = {"github": github, "fromJSON": json.loads, "contains": lambda values, value: value in values}
    assert eval(condition, known) is builds
    assert "refgen build" not in "".join(step.get("run", "") for name, step in STEPS.items() if name != "Build")
    assert {STEPS[name]["if"] for name in ("Pack the site", "Publish the site")} == {
        "steps.build.outputs.publish == 'true'"
    }


@pytest.mark.slow
def test_the_action_marks_a_wrong_number_at_its_line_and_publishes_the_default_branch_alone(tmp_path: Path) -> None:
    project = write_lantern(tmp_path / "my project")
    variables = {"PROJECT": str(project), "STRICT": "true", "RUNNER_TEMP": str(tmp_path), "PUBLISH": "true"}
    variables |= {"GITHUB_EVENT_NAME": "push", "DEFAULT_BRANCH": "main", "GITHUB_OUTPUT": str(tmp_path / "output")}

    def act(step: str, code: int = 0, branch: str = "main") -> str:
        script = STEPS[step]["run"].replace("refgen build", "refgen build --only data")
        known = {**variables, "GITHUB_REF": f"refs/heads/{branch}"}
        return run("bash", "-eo", "pipefail", "-c", script, folder=tmp_path, code=code, variables=known)

    act("Compare the numbers with the rules")
    act("Build", branch="draft")
    assert (tmp_path / "site" / "lantern" / "tables.json").is_file()
    assert not (tmp_path / "output").exists()
    act("Build")
    assert (tmp_path / "output").read_text(encoding="utf-8") == "publish=true\n"
    rules = project / "content" / "lantern" / "rules.md"
    rules.write_text(rules.read_text(encoding="utf-8").replace("72%", "71%"), encoding="utf-8")
    assert "::error file=my project/content/lantern/rules.md,line=14" in act(
        "Compare the numbers with the rules", code=1
    )


# The pre-commit hook, and completion


@pytest.mark.slow
def test_the_hook_fails_for_a_wrong_number(tmp_path: Path) -> None:
    (hook,) = loaded((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert (hook["language"], hook["pass_filenames"], hook["always_run"]) == ("python", False, True)
    entry = shlex.split(hook["entry"])
    rules = write_lantern(tmp_path) / "content" / "lantern" / "rules.md"
    run(BIN / entry[0], *entry[1:], folder=tmp_path)
    rules.write_text(rules.read_text(encoding="utf-8").replace("72%", "71%"), encoding="utf-8")
    run(BIN / entry[0], *entry[1:], folder=tmp_path, code=1)


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands_and_options(tmp_path: Path, shell: str) -> None:
    assert "_refgen_completion" in run(
        BIN / "refgen", folder=tmp_path, variables={"_REFGEN_COMPLETE": f"{shell}_source"}
    )
    for words, completed in (("refgen che", "check"), ("refgen check --cov", "--coverage")):
        last = words.rpartition(" ")[2] if shell == "fish" else str(words.count(" "))
        asked = {"_REFGEN_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": last}
        assert completed in re.split(r"[,\s]", run(BIN / "refgen", folder=tmp_path, variables=asked))


@pytest.mark.slow
def test_bash_itself_completes(tmp_path: Path) -> None:
    script = (
        'eval "$(_REFGEN_COMPLETE=bash_source refgen)"; COMP_WORDS=(refgen che); COMP_CWORD=1; '
        '_refgen_completion refgen; echo "${COMPREPLY[@]}"'
    )
    assert run("bash", "-c", script, folder=tmp_path) == "check\n"
