"""Builds the documentation site into ``build/site``: ``python -m docs.site.build``.

Pages are staged first, into ``build/site-source``: those of ``docs/`` with their links as the site
needs them, pages from elsewhere in the repository, notebooks, and what is generated (the API
reference, the games' options, actions and observations, the protocol, the command line). Then
Zensical builds ``mkdocs.yml``, strictly. At last, the one script that its pages load from the
network is replaced by a copy. Needs the extra ``docs``.
"""

from __future__ import annotations

import argparse
import importlib.resources
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from gangland.commands.games import observation_page
from gangland.envs import load

from .. import make_games
from . import notebook, protocol, reference
from .links import relink

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
ASSETS = Path(__file__).resolve().parent / "assets"
SOURCE = Path("build/site-source")
"""The staged pages, relative to the folder that holds ``mkdocs.yml``."""
SITE = Path("build/site")

PACKAGES = (
    "envs", "agents", "arena", "training", "serving", "adapters", "checkpoints", "configs",
)  # fmt: skip
"""Folders that are packages inside of ``gangland``, as ``pyproject.toml`` maps them."""

OUTSIDE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CODE_OF_CONDUCT.md": "project/code_of_conduct.md",
    "SECURITY.md": "project/security_policy.md",
}
"""Pages outside of ``docs/``, and their place on the site. The README's is the front page."""

SHIM = "https://unpkg.com/iframe-worker/shim"
"""What pages load, so that search works where a browser allows no workers: from files."""
SHIM_FILE = "assets/javascripts/iframe-worker-shim.js"


class SiteError(Exception):
    """The site cannot be built."""


def outside_pages() -> dict[str, str]:
    """Place on the site of every page outside of ``docs/``, by its path in the repository."""
    found = {path: place for path, place in OUTSIDE.items() if (ROOT / path).is_file()}
    for file in sorted(ROOT.glob("envs/*/RULES.md")):
        found[_path(file)] = f"rules/{file.parent.name}.md"
    for file in sorted((ROOT / "checkpoints").rglob("README.md")):
        name = "-".join(file.parent.relative_to(ROOT / "checkpoints").parts)
        found[_path(file)] = f"bots/{name}.md"
    for file in sorted(ROOT.glob("examples/*/README.md")):
        found[_path(file)] = f"examples/{file.parent.name}.md"
    return found


def docs_files() -> list[Path]:
    """Files of ``docs/`` that belong to the site: pages, notebooks, pictures, data."""
    kinds = {".md", ".ipynb", ".png", ".svg", ".webp", ".json"}
    return [
        file
        for file in sorted(DOCS.rglob("*"))
        if file.suffix in kinds and not file.is_relative_to(DOCS / "site")
    ]


def placed() -> dict[str, str]:
    """Place on the site of every file that has one, by its path in the repository."""
    places = {}
    for file in docs_files():
        place = file.relative_to(DOCS).with_suffix(".md" if _is_page(file) else file.suffix)
        if place.name == "README.md":
            place = place.with_name("index.md")
        places[_path(file)] = place.as_posix()
    return {**places, **outside_pages()}


def stage(folder: Path) -> None:
    """Write all pages into ``folder / SOURCE`` and the configuration into ``folder``."""
    source = folder / SOURCE
    shutil.rmtree(source, ignore_errors=True)
    places = placed()
    for path, place in places.items():
        if path == "README.md":
            continue
        target = source / "docs" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if _is_page(ROOT / path):
            text = relink(_page(ROOT / path), path, places, ROOT)
            if offered := _offered_notebook(ROOT / path):
                target.with_suffix(".ipynb").write_text(offered, encoding="utf-8")
                text = _with_link(text, target.with_suffix(".ipynb").name)
            target.write_text(text, encoding="utf-8")
        else:
            shutil.copyfile(ROOT / path, target)
    _stage_generated(source / "docs")
    shutil.copytree(ASSETS / "css", source / "docs" / "css")
    _stage_python(source / "python")
    shutil.copyfile(DOCS / "site" / "roles.py", source / "roles.py")
    if folder != ROOT:
        shutil.copyfile(ROOT / "mkdocs.yml", folder / "mkdocs.yml")


def _page(file: Path) -> str:
    if file.parent == make_games.PAGES and file.stem in make_games.NAMES:
        return make_games.page(file.stem)
    text = file.read_text(encoding="utf-8")
    if file.name == "RULES.md":
        # "[S][R]", two tags of a rule, would be a link.
        text = re.sub(r"\[([A-Z])\](?!\()", r"\\[\1\\]", text)
        # Names of tests are long; the style sheet lets them break.
        text = re.sub(r"(?<=[ ,])(tests/[\w/]+\.py\S*)", r'<span class="test">\1</span>', text)
    return notebook.as_markdown(json.loads(text)) if file.suffix == ".ipynb" else text


def _offered_notebook(file: Path) -> str:
    """The notebook that a page can be downloaded as; empty for a page with nothing to run."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".ipynb":
        return text
    if file.parent != DOCS / "tutorials":
        return ""
    made = notebook.from_markdown(text)
    runs = any(cell["cell_type"] == "code" for cell in made["cells"])
    return json.dumps(made, indent=1) + "\n" if runs else ""


def _with_link(text: str, name: str) -> str:
    """A page with a link to its notebook below its title."""
    title, _, rest = text.partition("\n")
    return f"{title}\n\n[Download this page as a notebook]({name}){{ download }}\n{rest}"


def _is_page(file: Path) -> bool:
    return file.suffix in {".md", ".ipynb"}


def _path(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def _stage_generated(docs: Path) -> None:
    description = json.loads((DOCS / "openapi.json").read_text(encoding="utf-8"))
    written = {
        **dict(reference.pages()),
        **{f"observations/{name}.md": observation_page(load(name)) for name in make_games.NAMES},
        "http_api.md": protocol.endpoints_page(description),
        "messages.md": protocol.messages_page(description),
        "command_line.md": reference.command_line(),
        "swagger.html": protocol.swagger_page(description),
    }
    for place, text in written.items():
        (docs / place).parent.mkdir(parents=True, exist_ok=True)
        (docs / place).write_text(text, encoding="utf-8")
    # The wheel of this plugin carries Swagger UI and its licence; the plugin itself is not used.
    swagger = importlib.resources.files("mkdocs_swagger_ui_tag") / "swagger-ui"
    (docs / "swagger-ui").mkdir()
    files = ("LICENSE", "NOTICE", "javascripts/swagger-ui-bundle.js", "stylesheets/swagger-ui.css")
    for name in files:
        data = (swagger / name).read_bytes()
        (docs / "swagger-ui" / name.rpartition("/")[2]).write_bytes(data)


def _stage_python(folder: Path) -> None:
    """The packages where imports have them, as mkdocstrings knows no package mapping."""
    package = folder / "gangland"
    package.mkdir(parents=True)
    for entry in (ROOT / "gangland").iterdir():
        (package / entry.name).symlink_to(entry)
    for name in PACKAGES:
        (package / name).symlink_to(ROOT / name)


def build(folder: Path = ROOT) -> Path:
    """Stage and build the site.

    Args:
        folder: Where ``build/`` is to be; the repository by default.

    Returns:
        The folder of the site.

    Raises:
        SiteError: What the generator complained of. Every warning is an error.
    """
    stage(folder)
    site = folder / SITE
    shutil.rmtree(site, ignore_errors=True)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(folder / SOURCE)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SiteError(complaints(done.stdout + done.stderr))
    _bundle_shim(site)
    return site


def complaints(output: str) -> str:
    """What Zensical warns of, a line each, without the pictures that it draws in a terminal."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", output)
    found = re.findall(r"^(?:Warning|Error): (.*)(?:\n\s*╭─\[ (\S+) \])?", text, re.M)
    return "\n".join(f"{where or '?'}: {what}" for what, where in found) or text


def _bundle_shim(site: Path) -> None:
    shutil.copyfile(ASSETS / "iframe-worker" / "shim.js", site / SHIM_FILE)
    licence = "iframe-worker-LICENSE"
    shutil.copyfile(ASSETS / "iframe-worker" / "LICENSE", (site / SHIM_FILE).parent / licence)
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        here = os.path.relpath(site / SHIM_FILE, page.parent)
        page.write_text(text.replace(SHIM, here), encoding="utf-8")


def main() -> None:
    """Build, and say where the site is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--stage", action="store_true", help="stage the pages only")
    if parser.parse_args().stage:
        stage(ROOT)
        return
    try:
        site = build()
    except SiteError as error:
        raise SystemExit(f"the site was not built:\n{error}") from None
    print(f"built: {site / 'index.html'}")


if __name__ == "__main__":
    main()
