// The ledger browser: search, filter, sort and page through window.LEDGER (made by tools/pages.py). No libraries, no requests.
"use strict";
(() => {
  const { columns, words, papers, notebooks, verdicts, contradicted, basis, rows } = window.LEDGER;
  const SIZE = 50, PRINT = 500, FILTERS = ["paper", "table", "verdict", "basis", "notebook"];
  const at = (id) => document.getElementById(id);
  const plain = (text) => text.normalize("NFKC").toLowerCase().replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/[‐-―−]/g, "-");
  const squash = (text) => plain(text).replace(/[\s._-]/g, ""); // GPT-4, GPT 4 and gpt4 are one word
  const make = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const number = (n) => n.toLocaleString("en");

  const causes = new Map(); // a contradiction's cause: the place of its first number
  let above = [];  // a blank cell is that of the row above
  const full = rows.map(line => above = line.split(",").map((cell, place) => cell === "" ? above[place] : Number(cell)));
  const lines = full.map((row, index) => {
    const line = { index };
    columns.forEach((name, i) => { line[name] = words[row[i]]; });
    const where = [papers[line.paper].title, line.paper, line.table, line.row, line.column, line.value];
    line.where = plain(where.join(" | "));
    line.all = [...where, line.how, line.cause, line.verdict, line.basis].map(squash).join("|");
    line.key = [line.paper, line.table, line.row, line.column];
    line.wrong = contradicted.includes(line.verdict);
    if (line.wrong && !causes.has(line.cause)) causes.set(line.cause, index);
    line.rank = line.wrong ? causes.get(line.cause) : rows.length; // contradictions first, by cause
    return line;
  });

  const total = number(lines.filter((line) => line.verdict !== "blank").length);
  const blank = { q: "", paper: "", table: "", verdict: "", basis: "", notebook: "", sort: "", page: 1, row: "" };
  let state = { ...blank }, found = [];
  const address = (line) => line.key.map(encodeURIComponent).join("/");

  const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  function tests(query) {
    const parts = [...plain(query).matchAll(/"([^"]+)"|\b((?:table|figure)\s+[\w.]+)|(\S+)/g)];
    return parts.map(([, phrase, table, word]) => {
      if (table) return (line) => plain(line.table) === table.replace(/\s+/g, " ");
      if (phrase || !/^[-+$]?[\d.,]*\d[\d.,]*[%bxmk]?\+?$/.test(word)) {
        const wanted = squash(phrase || word);
        return (line) => line.all.includes(wanted);
      }
      const whole = new RegExp(`(?<![\\d.,]|[\\d.]-)${escape(word)}(?![\\d]|[.,]\\d)`); // 5 is not found in 15, 0.5 or 5.2
      return (line) => whole.test(line.where);
    });
  }

  function share(strength) { // "26 of 32" -> 0.8125; nothing planted comes first
    const [caught, planted] = strength.split(" of ").map(Number);
    return planted ? caught / planted : -1;
  }

  function select() {
    const checks = tests(state.q);
    const passes = (line, but) => (!state.row || address(line) === state.row) && FILTERS.every((name) => name === but || !state[name] || line[name] === state[name]);
    const searched = lines.filter((line) => checks.every((check) => check(line)));
    found = searched.filter((line) => passes(line));
    if (state.sort) {
      const [name, down] = [state.sort.replace(/^-/, ""), state.sort.startsWith("-") ? -1 : 1];
      const value = (line) => (name === "place" ? line.index : name === "verdict" ? verdicts.indexOf(line.verdict)
        : name === "strength" ? share(line.strength) : line[name]);
      const amount = (line) => parseFloat(line[name].replace(/[$,]/g, ""));
      const numeric = name === "value" || name === "computed";
      const last = (line) => Number(numeric && Number.isNaN(amount(line))); // blanks come last either way
      found.sort((a, b) => last(a) - last(b) || down * (numeric ? amount(a) - amount(b) || 0
        : typeof value(a) === "number" ? value(a) - value(b) : value(a).localeCompare(value(b), "en", { numeric: true })) || a.index - b.index);
    } else found.sort((a, b) => a.rank - b.rank || a.index - b.index);
    for (const name of FILTERS) options(name, searched.filter((line) => passes(line, name)));
    const tally = Object.fromEntries(verdicts.map((name) => [name, 0]));
    searched.filter((line) => passes(line, "verdict")).forEach((line) => { tally[line.verdict] += 1; });
    at("counts").replaceChildren(...verdicts.map((name) => {
      const chip = make("button", { type: "button", className: `verdict ${name}`, disabled: !tally[name] && state.verdict !== name },
        make("b", { textContent: number(tally[name]) }), ` ${name}`);
      chip.setAttribute("aria-pressed", String(state.verdict === name));
      chip.addEventListener("click", () => {
        change({ verdict: state.verdict === name ? "" : name });
        [...at("counts").children].find((button) => button.className === `verdict ${name}`).focus();
      });
      return chip;
    }));
  }

  function options(name, available) {
    const tally = new Map();
    for (const line of available) tally.set(line[name], (tally.get(line[name]) || 0) + 1);
    if (state[name] && !tally.has(state[name])) tally.set(state[name], 0);
    const label = { paper: (v) => papers[v]?.title || v, notebook: (v) => notebooks[v]?.title || v, basis: (v) => basis[v] }[name] || ((v) => v);
    const keys = [...tally.keys()];
    if (name === "verdict") keys.sort((a, b) => verdicts.indexOf(a) - verdicts.indexOf(b));
    else if (name !== "paper") keys.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    at(name).replaceChildren(new Option("all", ""), ...keys.map((key) => new Option(`${label(key)} (${number(tally.get(key))})`, key)));
    at(name).value = state[name];
  }

  const short = (text) => (text !== "" && Number.isFinite(Number(text)) ? String(Number(Number(text).toPrecision(5))) : text);
  const HEADS = [["place", "Place in the paper"], ["value", "Printed"], ["computed", "Computed"], ["verdict", "Verdict"],
    ["strength", "Strength"], ["basis", "Basis"], ["how", "How we checked"], ["notebook", "Notebook"]];
  const EMPTY = { unverifiable: "not checkable", blank: "no number" }; // where nothing was computed

  function place(line) {
    const link = (href, textContent) => make("a", { href, textContent });
    const table = `paper=${line.paper}&table=${encodeURIComponent(line.table)}`;
    return [link(papers[line.paper].href, papers[line.paper].title), ", ", link(`#${table}`, line.table === "text" ? "running text" : line.table), ", ",
      link(`#${address(line)}`, line.table === "text" ? `section ${line.row}: ${line.column}` : `row ${line.row}, column ${line.column}`)];
  }

  function heading(line) {
    if (!line.wrong) return "Not contradicted, in the order of the papers";
    const size = found.filter((other) => other.wrong && other.cause === line.cause).length;
    const cause = line.cause.replace(/^\w+: /, "");
    return `${papers[line.paper].title}: ${cause} (${size} ${size === 1 ? "number" : "numbers"})`;
  }

  function cell(line, name, label) {
    const td = make("td", { className: `c-${name}` });
    td.setAttribute("role", "cell");
    td.dataset.label = label;
    if (name === "place") td.append(make("span", {}, ...place(line)));
    else if (name === "verdict") td.append(make("span", {}, make("span", { className: `verdict ${line.verdict}`, textContent: line.verdict }), line.severity && ` ${line.severity}`));
    else if (name === "value") td.append(line.value === "" ? make("i", { textContent: "blank" }) : line.value);
    else if (name === "computed") td.append(line.computed === "" ? make("i", { textContent: EMPTY[line.verdict] || "no single value" })
      : make("span", { textContent: short(line.computed), title: line.computed }));
    else if (name === "basis") td.append(basis[line.basis]);
    else if (name === "strength") td.append(line.strength && `${line.strength} typos caught`);
    else if (name === "notebook" && notebooks[line.notebook]) {
      const link = make("a", { href: notebooks[line.notebook].href, textContent: line.notebook });
      link.setAttribute("aria-label", `notebook ${line.notebook}, against the paper`);
      td.append(link);
    } else td.append(line[name]);
    return td;
  }

  // The story of one number, as `python -m helpers.audit.explain` tells it.
  const SOURCES = { raw: "The public data", code: "Released code", printed: "Other printed numbers" };
  const MEANINGS = { reproduced: "So the number comes out of the public data.", consistent: "So the number is confirmed.",
    "not contradicted": "That only bounds the number: nothing fixes it.", differs: "So it is contradicted.", inconsistent: "So it is contradicted." };

  function printed(line) {
    if (line.column.startsWith("in words: ")) return `the paper claims in words what comes to ${line.value} (${line.column.slice(10)}).`;
    return `the paper prints ${line.value}${line.table === "text" ? ` (${line.column})` : ""}.`;
  }

  function found_out(line) {
    if (line.verdict === "unverifiable") return `It cannot be checked: ${line.how}.`;
    const input = line.how.includes(" (input checked)"), claim = line.how.startsWith("claim: "), counted = line.how.startsWith("counted: ");
    const how = line.how.replace(" (input checked)", "").replace(/^(claim|counted): /, "");
    const source = counted ? "Counting" : SOURCES[line.basis], computed = short(line.computed);
    const [reason, between] = how.split("; so between ");
    let said = `It ${line.wrong ? "does not fit" : "fits"} other numbers: ${how}.`;
    if (claim) said = `What is asked of it: ${how}${computed && ` (compared with ${computed})`}. It ${line.wrong ? "does not hold" : "holds"}.`;
    else if (between) said = `${source} put it between ${between}: ${reason}.`;
    else if (computed && line.verdict === "not contradicted") said = `${source} put it near ${computed}: ${how}.`;
    else if (computed) said = `${source} ${/(data|numbers)$/.test(source) ? "give" : "gives"} ${computed}: ${how}.`;
    const only = line.severity === "last digit" ? " Only its last digit is off." : "";
    const together = input && !line.wrong ? " It was itself used in the check: these numbers stand or fall together." : "";
    return `${said} ${MEANINGS[line.verdict]}${only}${together}`;
  }

  function planted(line) {
    if (!line.strength || line.wrong) return "";
    const [caught, tried] = line.strength.split(" of "), which = { 0: "none", [tried]: "all" }[caught] || caught;
    return `We planted ${tried} wrong digit${tried === "1" ? "" : "s"} in numbers checked this way: ${which} of them ${which === "1" ? "was" : "were"} noticed.`;
  }

  function reason(line) {
    if (!line.cause) return "";
    const others = lines.filter((other) => other.cause === line.cause).length - 1;
    const company = others ? ` (${others} other number${others > 1 ? "s" : ""} for the same reason)` : "";
    return `${line.wrong ? "Reason" : "A contradiction concerns it"}: ${line.cause.replace(/^\w+: /, "")}${company}.`;
  }

  function story(line) {
    const section = /^\d/.test(line.row) ? `section ${line.row}` : line.row;
    const where = `${papers[line.paper].title}, ${line.table === "text" ? section : `${line.table}, row ${line.row}, column ${line.column}`}:`;
    if (line.verdict === "blank") return `${where} the paper leaves this cell blank.`;
    return [where, printed(line), found_out(line), planted(line), reason(line)].filter(Boolean).join(" ");
  }

  function draw(size = SIZE) {
    const pages = Math.max(1, Math.ceil(found.length / size));
    state.page = Math.min(Math.max(1, state.page), pages);
    const start = (size === SIZE ? state.page - 1 : 0) * size, shown = found.slice(start, start + size);
    const table = make("table"), head = make("tr"), body = make("tbody");
    table.setAttribute("role", "table");
    table.append(make("caption", { textContent: "Printed numbers and their verdicts", className: "visually-hidden" }));
    for (const [name, label] of HEADS) {
      const arrow = state.sort === name ? " ▲" : state.sort === `-${name}` ? " ▼" : "";
      const th = make("th", { scope: "col" }), button = make("button", { type: "button", textContent: label + arrow });
      th.setAttribute("role", "columnheader");
      if (arrow) th.setAttribute("aria-sort", arrow === " ▲" ? "ascending" : "descending");
      button.addEventListener("click", () => {
        change({ sort: state.sort === name ? `-${name}` : state.sort === `-${name}` ? "" : name });
        document.querySelectorAll("#rows thead button")[HEADS.findIndex(([other]) => other === name)].focus();
      });
      th.append(button);
      head.append(th);
    }
    head.setAttribute("role", "row");
    const grouped = !state.sort && found[0]?.wrong;
    shown.forEach((line, i) => {
      if (grouped && line.rank !== shown[i - 1]?.rank) {
        const th = make("th", { colSpan: HEADS.length, scope: "colgroup", textContent: heading(line) }), tr = make("tr", { className: "group" }, th);
        th.setAttribute("role", "columnheader");
        tr.setAttribute("role", "row");
        body.append(tr);
      }
      const tr = make("tr", {}, ...HEADS.map(([name, label]) => cell(line, name, label)));
      tr.setAttribute("role", "row");
      body.append(tr);
    });
    table.append(make("thead", {}, head), body);
    const told = found.length === 1 ? [make("p", { className: "story", textContent: story(found[0]) })] : [];
    at("rows").replaceChildren(...told, ...(found.length ? [table] : []));
    const blanks = found.filter((line) => line.verdict === "blank").length; // a blank cell is no number
    at("said").textContent = found.length
      ? `Rows ${number(start + 1)}–${number(start + shown.length)} of ${number(found.length - blanks)} numbers${blanks ? ` and ${number(blanks)} blank cells` : ""}${found.length < lines.length ? ` (${total} in all)` : ""}`
      : "No printed number matches. Use fewer words, or clear a filter.";
    if (size === PRINT) at("said").textContent += ` · ${decoded(location.hash.slice(1)).replaceAll("&", " · ") || "no filter"}`;
    const step = (label, page, off) => {
      const button = make("button", { type: "button", textContent: label, disabled: off });
      button.addEventListener("click", () => { change({ page }, true); at("said").scrollIntoView({ block: "nearest" }); });
      return button;
    };
    at("pager").replaceChildren(...(pages > 1 ? [step("« First", 1, state.page === 1), step("‹ Previous", state.page - 1, state.page === 1),
      make("span", { textContent: `Page ${state.page} of ${pages}` }),
      step("Next ›", state.page + 1, state.page === pages), step("Last »", pages, state.page === pages)] : []));
  }

  function change(what, paging = false) {
    const focus = paging ? [...at("pager").children].indexOf(document.activeElement) : -1;
    state = { ...state, row: "", page: paging ? state.page : 1, ...what };
    if (!paging) select();
    draw();
    if (focus >= 0) (at("pager").children[focus]?.disabled ? at("pager").querySelector("button:enabled") : at("pager").children[focus])?.focus();
    const kept = Object.entries(state).filter(([name, value]) => value !== blank[name]);
    const hash = kept.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  }

  function decoded(text) {
    try { return decodeURIComponent(text); } catch { return text; }
  }

  function read() {
    const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    state = { ...blank };
    if (/^#[^=&]+(\/[^=&]*){3}$/.test(location.hash)) state.row = location.hash.slice(1).split("/").map(decoded).map(encodeURIComponent).join("/");
    else for (const name of Object.keys(blank)) if (given[name]) state[name] = name === "page" ? Number(given[name]) || 1 : given[name];
    if (!HEADS.some(([name]) => name === state.sort.replace(/^-/, ""))) state.sort = "";
    at("q").value = state.q;
    select();
    draw();
  }

  const form = document.querySelector("#ledger form");
  at("q").addEventListener("input", (event) => change({ q: event.target.value }));
  for (const name of FILTERS) at(name).addEventListener("change", (event) => change({ [name]: event.target.value }));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => { event.preventDefault(); at("q").value = ""; change({ ...blank }); at("q").focus(); });
  window.addEventListener("hashchange", read);
  window.addEventListener("beforeprint", () => draw(PRINT));
  window.addEventListener("afterprint", () => draw());
  read();
})();
