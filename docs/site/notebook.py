"""Notebooks as pages: text, code, and the output that was saved with them."""

from __future__ import annotations

from typing import Any


def as_markdown(notebook: dict[str, Any]) -> str:
    """A notebook (the JSON of an ``.ipynb``) as Markdown; pictures stand in the page."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"]).strip()
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code":
            parts.append(f"```py\n{source}\n```")
            parts += [_output(output) for output in _joined(cell["outputs"])]
    return "\n\n".join(part for part in parts if part) + "\n"


def _joined(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The outputs of a cell; what it printed line by line is one of them."""
    found: list[dict[str, Any]] = []
    for output in outputs:
        if found and output["output_type"] == "stream" == found[-1]["output_type"]:
            found[-1] = {**output, "text": [*found[-1]["text"], *output["text"]]}
        else:
            found.append(output)
    return found


def _output(output: dict[str, Any]) -> str:
    if output["output_type"] == "error":
        raise ValueError(f"a cell failed: {output['ename']}: {output['evalue']}")
    shown = output.get("data", {"text/plain": output.get("text", "")})
    if "image/svg+xml" in shown:
        return f'<div class="drawn">\n{"".join(shown["image/svg+xml"])}\n</div>'
    if "image/png" in shown:
        data = "".join(shown["image/png"].split())
        return f'<p><img alt="Output of the cell above" src="data:image/png;base64,{data}"></p>'
    text = "".join(shown.get("text/plain", "")).rstrip()
    return f"``` {{ .text .output }}\n{text}\n```" if text else ""
