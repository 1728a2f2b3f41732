"""Sphinx settings of the report: notebooks as they were executed, nothing loaded from elsewhere."""

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml
from myst_nb.core.render import NbElementRenderer

project = "Judging Creativity"
author = "The Judging Creativity developers"
copyright = "2026, The Judging Creativity developers, MIT licence"

extensions = ["myst_nb"]
suppress_warnings = ["mystnb.unknown_mime_type"]
myst_heading_anchors = 3
myst_enable_extensions = ["dollarmath"]
myst_dmath_allow_digits = myst_dmath_allow_space = False  # prices are no formulas
nb_execution_mode = "off"
nb_render_markdown_format = "gfm"  # computed tables and sentences
nb_ipywidgets_js = {}  # no require.js, no CDN: a widget shows its plain text
nb_merge_streams = True
nb_code_prompt_show, nb_code_prompt_hide = "show code", "hide code"

html_math_renderer = "mathml"  # a browser's own, where MathJax would be loaded from elsewhere
# docutils takes the digits of \tfrac12 for one number
UNKNOWN = {r"\big": "", "½": r"\frac{1}{2}", r"\tfrac12": r"\frac{1}{2}"}

html_theme = "furo"  # light: no icon font, no framework
html_title = "Judging Creativity"
html_favicon = "static/mark.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_sourcelink_suffix = ""  # the button at the top of a notebook's page gives the notebook
html_theme_options = {"top_of_page_buttons": ["view"]}


render_image = NbElementRenderer.render_image


def render_with_words(self, data):
    """Render a picture as MyST-NB does, with the `alt` of its output's metadata as its words."""
    images = render_image(self, data)
    alt = data.output_metadata.get(data.mime_type, {}).get("alt", "")
    for image in images:
        image.setdefault("alt", alt)
    return images


NbElementRenderer.render_image = render_with_words


def to_mathml(formula, **options):
    """Return a formula in LaTeX as MathML."""
    for ours, known in UNKNOWN.items():
        formula = formula.replace(ours, known)
    return tex2mathml(formula, **options)


def write_inline_formula(writer, node):
    """Write a formula within a sentence."""
    writer.body.append(to_mathml(node.astext()))
    raise SkipNode


def write_formula(writer, node):
    """Write a formula that stands on a line of its own; on a phone a long one scrolls."""
    formula = to_mathml(node.astext(), as_block=True)
    writer.body.append(f'<div class="scroll">{formula}</div>')
    raise SkipNode


def setup(app):
    """Tell Sphinx how formulas are written."""
    app.add_html_math_renderer("mathml", (write_inline_formula, None), (write_formula, None))
