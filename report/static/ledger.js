// The ledger browser: search, filter, sort and page through window.LEDGER (made by helpers/report.py). No libraries, no requests.
"use strict";
(() => {
  const { columns, coded, words, papers, notebooks, verdicts, rows } = window.LEDGER;
  const SIZE = 50, PRINT = 500, FILTERS = ["paper", "table", "verdict", "basis", "notebook"];
  const at = (id) => document.getElementById(id);
  const plain = (text) => text.normalize("NFKC").toLowerCase().replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/[‐-―−]/g, "-");
  const make = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const number = (n) => n.toLocaleString("en");

  const lines = rows.map((row, index) => {
    const line = { index };
    columns.forEach((name, i) => { line[name] = coded.includes(name) ? words[row[i]] : row[i]; });
    line.where = plain([papers[line.paper], line.paper, line.table, line.row, line.column, line.value].join(" | "));
    line.all = `${line.where} | ${plain([line.how, line.verdict, line.basis].join(" | "))}`;
    return line;
  });

  const blank = { q: "", paper: "", table: "", verdict: "", basis: "", notebook: "", sort: "", page: 1 };
  let state = { ...blank }, found = [];

  const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  function tests(query) {
    const parts = [...plain(query).matchAll(/"([^"]+)"|\b((?:table|figure)\s+[\w.]+)|(\S+)/g)];
    return parts.map(([, phrase, table, word]) => {
      if (table) return (line) => plain(line.table) === table.replace(/\s+/g, " ");
      if (phrase) return (line) => line.all.includes(phrase);
      if (!/^[-+$]?[\d.,]*\d[\d.,]*[%bxmk]?\+?$/.test(word)) return (line) => line.all.includes(word);
      const whole = new RegExp(`(?<![\\d.,]|[\\d.]-)${escape(word)}(?![\\d]|[.,]\\d)`); // 5 is not found in 15, 0.5 or 5.2
      return (line) => whole.test(line.where);
    });
  }

  function select() {
    const checks = tests(state.q);
    const passes = (line, but) => FILTERS.every((name) => name === but || !state[name] || line[name] === state[name]);
    const searched = lines.filter((line) => checks.every((check) => check(line)));
    found = searched.filter((line) => passes(line));
    if (state.sort) {
      const [name, down] = [state.sort.replace(/^-/, ""), state.sort.startsWith("-") ? -1 : 1];
      const value = (line) => (name === "verdict" ? verdicts.indexOf(line.verdict) : line[name]);
      const amount = (line) => parseFloat(line[name].replace(/[$,]/g, ""));
      const numeric = name === "value" || name === "computed";
      const last = (line) => Number(numeric && Number.isNaN(amount(line))); // blanks come last either way
      found.sort((a, b) => last(a) - last(b) || down * (numeric ? amount(a) - amount(b) || 0
        : typeof value(a) === "number" ? value(a) - value(b) : value(a).localeCompare(value(b), "en", { numeric: true })) || a.index - b.index);
    }
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
    const label = { paper: (v) => papers[v] || v, notebook: (v) => notebooks[v]?.title || v }[name] || ((v) => v);
    const keys = [...tally.keys()];
    if (name === "verdict") keys.sort((a, b) => verdicts.indexOf(a) - verdicts.indexOf(b));
    else if (name !== "paper") keys.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    at(name).replaceChildren(new Option("all", ""), ...keys.map((key) => new Option(`${label(key)} (${number(tally.get(key))})`, key)));
    at(name).value = state[name];
  }

  const short = (text) => (text !== "" && Number.isFinite(Number(text)) ? String(Number(Number(text).toPrecision(5))) : text);
  const HEADS = [["paper", "Paper"], ["table", "Table"], ["row", "Row"], ["column", "Column"], ["value", "Printed"], ["computed", "Computed"],
    ["verdict", "Verdict"], ["strength", "Strength"], ["basis", "Basis"], ["how", "How"], ["notebook", "Shown"]];

  function cell(line, name, label) {
    const td = make("td", { className: `c-${name}` });
    td.setAttribute("role", "cell");
    td.dataset.label = label;
    if (name === "paper") td.append(make("span", { textContent: papers[line.paper].split(" · ")[0], title: papers[line.paper] }));
    else if (name === "verdict") td.append(make("span", { className: `verdict ${line.verdict}`, textContent: line.verdict }));
    else if (name === "value") td.append(line.value === "" ? make("i", { textContent: "blank" }) : line.value);
    else if (name === "computed") td.append(line.computed === "" ? make("i", { textContent: "nothing" })
      : make("span", { textContent: short(line.computed), title: line.computed }));
    else if (name === "notebook" && notebooks[line.notebook]) {
      const link = make("a", { href: notebooks[line.notebook].href, textContent: line.notebook });
      link.setAttribute("aria-label", `notebook ${line.notebook}, against the paper`);
      td.append(link);
    } else td.append(line[name]);
    return td;
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
    for (const line of shown) {
      const tr = make("tr", {}, ...HEADS.map(([name, label]) => cell(line, name, label)));
      tr.setAttribute("role", "row");
      body.append(tr);
    }
    table.append(make("thead", {}, head), body);
    at("rows").replaceChildren(...(found.length ? [table] : []));
    at("said").textContent = found.length
      ? `${number(start + 1)}–${number(start + shown.length)} of ${number(found.length)} numbers${found.length < lines.length ? ` (${number(lines.length)} in all)` : ""}`
      : "No printed number matches. Use fewer words, or clear a filter.";
    if (size === PRINT) at("said").textContent += ` · ${decodeURIComponent(location.hash.slice(1)).replaceAll("&", " · ") || "no filter"}`;
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
    state = { ...state, page: paging ? state.page : 1, ...what };
    if (!paging) select();
    draw();
    if (focus >= 0) (at("pager").children[focus]?.disabled ? at("pager").querySelector("button:enabled") : at("pager").children[focus])?.focus();
    const kept = Object.entries(state).filter(([name, value]) => value !== blank[name]);
    const hash = kept.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  }

  function read() {
    const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    state = { ...blank };
    for (const name of Object.keys(blank)) if (given[name]) state[name] = name === "page" ? Number(given[name]) || 1 : given[name];
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
