"""Sphinx settings of the report: notebooks as they were executed, nothing loaded from elsewhere."""

from myst_nb.core.render import NbElementRenderer

project = "Judging Creativity"
author = "The Judging Creativity developers"
copyright = "2026, The Judging Creativity developers, MIT licence"

extensions = ["myst_nb"]
suppress_warnings = ["mystnb.unknown_mime_type"]
myst_heading_anchors = 3
nb_execution_mode = "off"
nb_render_markdown_format = "gfm"  # computed tables and sentences
nb_ipywidgets_js = {}  # no require.js, no CDN: a widget shows its plain text
nb_merge_streams = True
nb_code_prompt_show, nb_code_prompt_hide = "show code", "hide code"

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
