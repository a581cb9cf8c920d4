// @ts-check
/* The rates of For-Ex: a pair that is chosen is told and prepared for a contract or a swap; what changed within a round is
   marked; a move that is put together shows what it would do, in words and in the rates. Without it the same forms work.
   Its words come from the page: the data of a form, and of the rates. */

/** @typedef {{kinds: string[], scale: number[][], rates: number[], money: number[][], held: number[], certs: number[][],
 *             names: string[], you: number, turns: number, price: number, sale: number, surcharge: number, total: boolean,
 *             either: boolean}} Model */
/** The sentences of a form. @typedef {DOMStringMap} Says */
/** What a form would do; terms: what the button says too, for where there is room. @typedef {{words: string, terms?: string, button?: string, after?: Model}} Preview */

const BUCK = 2;

/** @template {Element} [T=HTMLElement] @param {string} selector @param {ParentNode} root @returns {T[]} */
const all = (selector, root = document) => /** @type {any} */ ([...root.querySelectorAll(selector)]);
/** @template {Element} [T=HTMLElement] @param {string} selector @param {ParentNode} root @returns {T | null} */
const one = (selector, root = document) => /** @type {any} */ (root.querySelector(selector));

/** The position, as the stage has it. @returns {Model | null} */
const model = () => JSON.parse(one("[data-model]")?.dataset.model ?? "null");

/** A sentence with its placeholders filled. @param {string | undefined} sentence @param {Record<string, string | number>} values */
const said = (sentence, values = {}) => (sentence ?? "").replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

/** A word or sentence that the rates bring along. @param {string} name @param {Record<string, string | number>} [values] */
const word = (name, values) => said(one("[data-model]")?.dataset[name], values);

/** "a", "a and b", "a, b and c". @param {string[]} words */
const listed = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} ${word("and")} ${words.at(-1)}` : words.join(""));

/** Bucks as they are said. @param {number} bucks */
const figure = (bucks) => (document.documentElement.lang === "de" ? String(bucks).replace(".", ",") : String(bucks));

// --- the rules that a preview needs -----------------------------------------------------------------------------------

/** @param {Model} m @param {number} kind @param {1 | -1} way */
function moved(m, kind, way) {
  m.scale.forEach((row, other) => {
    const place = m.scale[kind][other];
    if (other === kind || place === way * m.rates.length) return;
    m.scale[kind][other] = place === -way ? way : place + way;
    row[kind] = -m.scale[kind][other];
  });
}

/** Half-bucks of `kind` that stand against so many bucks of the stronger of two. @param {Model} m @param {number} kind @param {number} other @param {number} bucks */
const stands = (m, kind, other, bucks) => (m.scale[kind][other] > 0 ? BUCK * bucks : bucks * m.rates[-m.scale[kind][other] - 1]);

/** Whether a swap of two may be 1 buck of either: the weaker one is a whole number of half-bucks then. @param {Model} m @param {number} a @param {number} b */
const either = (m, a, b) => m.either && [1, 2 * BUCK].includes(m.rates[Math.abs(m.scale[a][b]) - 1]);

/** Half-bucks of `kind` in a swap that is 1 buck of the stronger or of the weaker of two. @param {Model} m @param {number} kind @param {number} other @param {FormDataEntryValue | null} of */
const swapped = (m, kind, other, of) => (of === "weaker" ? (BUCK * BUCK) / stands(m, other, kind, 1) : stands(m, kind, other, 1));

/** The strongest currencies, several if they tie. @param {Model} m */
function strongest(m) {
  const points = m.scale.map((row, kind) => row.filter((place, other) => place > 0 && other < m.kinds.length).length * 128 + m.held[kind]);
  return points.flatMap((n, kind) => (n === Math.max(...points) ? [kind] : []));
}

/** What the money of each seat is worth in a currency. @param {Model} m @param {number} target @returns {number[]} */
function valued(m, target) {
  const down = m.total ? (/** @type {number} */ n) => n : Math.floor;
  return m.money.map((row) => Math.floor(row.reduce((sum, amount, kind) => {
    const place = m.scale[target][kind];
    return sum + down(!place ? amount / BUCK : place > 0 ? amount / m.rates[place - 1] : (amount * m.rates[-place - 1]) / 4);
  }, 1e-9)));
}

/** @param {Model} m @param {number} kind @param {number} halves */
const amount = (m, kind, halves) => `${figure(halves / BUCK)} ${m.kinds[kind]}`;

/** The pair as a sentence. @param {Model} m @param {number} a @param {number} b */
function rate(m, a, b) {
  const [strong, weak] = m.scale[a][b] > 0 ? [a, b] : [b, a];
  return `1 ${m.kinds[strong]} = ${amount(m, weak, stands(m, weak, strong, 1))}`;
}

/** What one is worth now and then, in the currency that is the strongest then, the first of those that tie; and as a part of all.
 * @param {Model} before @param {Model} after */
function becomes(before, after) {
  const [target, ...others] = strongest(after);
  const [was, now] = [valued(before, target), valued(after, target)];
  const [currency, you] = [after.kinds[target], after.you];
  const unit = others.length ? word("tied", { currency, others: listed(others.map((kind) => after.kinds[kind])) }) : currency;
  const part = Math.round((100 * now[you]) / Math.max(1, now.reduce((sum, n) => sum + n, 0)));
  const sentence = word(was[you] === now[you] ? "stays" : "becomes", { before: was[you], after: `${now[you]} ${unit}`, part });
  return strongest(before)[0] === target ? sentence : `${sentence} ${word("strongest", { currency })}`;
}

/** The pairs that change, for a screen that has no room for all of them beside the form. @param {Model} before @param {Model} after */
const changed = (before, after) => before.kinds.flatMap((_, a) => before.kinds.flatMap((_, b) => {
  const [was, now] = [before.scale[a][b], after.scale[a][b]];
  if (now < 0 || a === b || was === now) return [];
  const rate = figure(before.rates[now - 1] / BUCK);
  return [`${before.kinds[a]}:${before.kinds[b]} ${was > 0 ? `${figure(before.rates[was - 1] / BUCK)} → ${rate}` : word("turns", { rate })}`];
})).join(" · ");

// --- previews ---------------------------------------------------------------------------------------------------------

/** @type {Record<string, (m: Model, form: FormData, says: Says) => Preview | null>} */
const PREVIEWS = {
  contract(m, form, says) {
    const [pay, receive, times] = [kind(m, form, "pay"), kind(m, form, "receive"), Number(form.get("int:times"))];
    if (pay < 0 || receive < 0) return null;
    if (pay === receive) return { words: said(says.same) };
    if (!times) return { words: said(says.size, { rate: rate(m, pay, receive), currency: stronger(m, pay, receive) }) };
    const [due, got, own] = [stands(m, pay, receive, times), stands(m, receive, pay, times), m.money[m.you][pay]];
    const terms = { pay: amount(m, pay, due), receive: amount(m, receive, got), own: amount(m, pay, own) };
    const lacking = { lack: amount(m, pay, due - own), owed: amount(m, pay, due + BUCK * m.surcharge) };
    return {
      terms: `${said(says.later, terms)} `,
      words: said(own >= due ? says.enough : says.lack, { ...terms, ...lacking }),
      button: said(says.button, terms),
    };
  },
  invest(m, form, says) {
    const [first, second] = [kind(m, form, "first"), kind(m, form, "second")];
    if (first < 0) return null;
    if (first === second) return { words: said(says.same) };
    const [kinds, after] = [[first, second].filter((k) => k >= 0), structuredClone(m)];
    for (const k of kinds) {
      after.money[m.you][k] -= BUCK * m.price;
      after.held[k] += 1;
      moved(after, k, 1);
    }
    const [one, two = ""] = kinds.map((k) => m.kinds[k]);
    const words = `${said(says.pay, { paid: listed(kinds.map((k) => `${m.price} ${m.kinds[k]}`)) })} ${becomes(m, after)}`;
    return { words, after, button: said(two ? says.two : says.one, { one, two }) };
  },
  divest(m, form, says) {
    const sale = JSON.parse(String(form.get("move") ?? "null"));
    if (!sale) return null;
    const [k, after] = [m.kinds.indexOf(sale.currency), structuredClone(m)];
    after.money[m.you][k] += BUCK * m.sale * sale.count;
    after.held[k] -= sale.count;
    for (let n = 0; n < sale.count; n++) moved(after, k, -1);
    const followers = m.names.filter((_, seat) => seat !== m.you && m.certs[seat][k]);
    const then = followers.length ? ` ${said(followers.length > 1 ? says.followers : says.follower, { name: followers[0], names: listed(followers) })}` : "";
    const words = `${said(says.get, { sum: `${sale.count * m.sale} ${sale.currency}` })} ${becomes(m, after)}${then}`;
    return { after, words, button: said(says.button, { n: sale.count, currency: sale.currency }) };
  },
  spot(m, form, says) {
    const [give, get, other] = [kind(m, form, "give"), kind(m, form, "get"), form.get("int:with")];
    if (give < 0 || get < 0) return null;
    if (give === get) return { words: said(says.same) };
    const [of, pair] = [form.get("str:of"), rate(m, give, get)];
    const [given, got] = [swapped(m, give, get, of), swapped(m, get, give, of)];
    if (m.money[m.you][give] < given) return { words: said(says.short, { rate: pair, own: amount(m, give, m.money[m.you][give]) }) };
    if (other === null) return { words: said(says.whom, { rate: pair }) };
    const [seat, after] = [Number(other), structuredClone(m)];
    const terms = { name: m.names[seat], give: amount(m, give, given), get: amount(m, get, got) };
    if (m.money[seat][get] < got) return { words: said(says.lacking, { rate: pair, name: terms.name, own: amount(m, get, m.money[seat][get]) }) };
    if (says.refused?.split(" ").includes(`${seat}-${m.kinds[give]}${given / BUCK}-${m.kinds[get]}${got / BUCK}`)) return { words: said(says.again, terms) };
    after.money[m.you][give] -= given;
    after.money[m.you][get] += got;
    return { words: `${said(says.swap, terms)} ${becomes(m, after)}`, button: said(says.button, terms) };
  },
};

/** @param {Model} m @param {FormData} form @param {string} name */
const kind = (m, form, name) => m.kinds.indexOf(String(form.get(`str:${name}`)));

/** The name of the stronger of two. @param {Model} m @param {number} a @param {number} b */
const stronger = (m, a, b) => m.kinds[m.scale[a][b] > 0 ? a : b];

/** @param {string} className @param {string} textContent */
const part = (className, textContent) => Object.assign(document.createElement("span"), { className, textContent });

/** Offers both sizes of a swap where its rate allows two. @param {Model} m @param {HTMLFormElement} form */
function sizes(m, form) {
  const [box, data] = [one("[data-sizes]", form), new FormData(form)];
  if (!box) return;
  const [give, get] = [kind(m, data, "give"), kind(m, data, "get")];
  box.hidden = Math.min(give, get) < 0 || give === get || !either(m, give, get);
  for (const input of /** @type {HTMLInputElement[]} */ (all("input", box))) {
    input.disabled = box.hidden;
    const label = input.nextElementSibling;
    if (!label || box.hidden) continue;
    const terms = { give: amount(m, give, swapped(m, give, get, input.value)), get: amount(m, get, swapped(m, get, give, input.value)) };
    const words = said(form.dataset.size, terms);
    if (label.textContent !== words) label.textContent = words;
  }
}

/** Says and shows what the open form would do; without one, the rates as they are. */
function preview() {
  const m = model();
  if (!m) return;
  const form = /** @type {HTMLFormElement | null} */ (one("#dock .act[open] form[data-preview]"));
  if (form) sizes(m, form);
  const shown = form && PREVIEWS[form.dataset.preview ?? ""](m, new FormData(form), form.dataset);
  const data = new FormData(form ?? undefined);
  const pair = [kind(m, data, data.has("str:give") ? "give" : "pay"), kind(m, data, data.has("str:get") ? "get" : "receive")];
  draw(m, shown?.after, pair);
  if (!form) return;
  const [output, button] = [/** @type {HTMLOutputElement} */ (one("output", form)), /** @type {HTMLButtonElement} */ (one("button.primary", form))];
  const legend = one("[data-stronger]", form);
  if (legend && Math.min(...pair) >= 0 && pair[0] !== pair[1]) legend.textContent = said(form.dataset.many, { currency: stronger(m, pair[0], pair[1]) });
  output.dataset.idle ??= output.textContent ?? "";
  button.dataset.idle ??= button.textContent ?? "";
  const [terms, words, moves] = [shown?.terms ?? "", shown?.words ?? output.dataset.idle ?? "", shown?.after ? changed(m, shown.after) : ""];
  if (output.textContent !== terms + words + moves) {
    output.replaceChildren(...(terms ? [part("said", terms)] : []), words, ...(moves ? [part("changes", moves)] : []));
  }
  button.textContent = shown?.button ?? button.dataset.idle;
  button.disabled = !shown?.button;
}

// --- the rates --------------------------------------------------------------------------------------------------------

/** What stood there a round ago, by table, in this tab. @param {Model} m @returns {number[][] | null} */
function earlier(m) {
  const key = `forex ${location.pathname}`;
  try {
    /** @type {[number, number[][]][]} */
    const seen = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    if (!seen.some(([turns]) => turns === m.turns)) {
      seen.push([m.turns, m.scale]);
      seen.sort(([a], [b]) => a - b);
      sessionStorage.setItem(key, JSON.stringify(seen.slice(-40)));
    }
    return seen.find(([turns]) => turns >= m.turns - m.names.length && turns <= m.turns)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** The places of the table, row by row. @returns {HTMLButtonElement[][]} */
const places = () => all("tbody tr", one(".rates") ?? document.createElement("p")).map((row) => all("td", row).map((cell) => /** @type {any} */ (one("button", cell))));

/** @param {Model} m the position @param {Model} [after] what it would become @param {number[]} [lit] the pair of a form */
function draw(m, after, lit) {
  const [was, now] = [earlier(m), (after ?? m).scale];
  places().forEach((row, a) => row.forEach((place, b) => {
    if (!place) return;
    const [space, before] = [now[a][b], was?.[a][b] ?? m.scale[a][b]];
    const next = space !== m.scale[a][b] && Math.max(space, m.scale[a][b]) > 0;
    const text = space > 0 ? figure(m.rates[space - 1] / BUCK) : "";
    if (place.textContent !== text) place.textContent = text;
    const shows = space > 0 && lit?.includes(a) && lit.includes(b);
    const look = `${space > 0 ? `s${space}` : ""}${next ? " next" : ""}${shows ? " lit" : ""}`.trim();
    if (place.className !== look) look ? (place.className = look) : place.removeAttribute("class");
    const from = next ? m.scale[a][b] : before;
    const mark = space < 0 || from === space ? "" : from < 0 ? "⇄" : `${figure(m.rates[from - 1] / BUCK)} →`;
    if (mark) [place.dataset.mark, place.dataset.way] = [mark, from < 0 ? mark : space > from ? "↑" : "↓"];
    else delete place.dataset.mark, delete place.dataset.way;
  }));
}

/** The pair that is chosen: row, column. @type {[number, number] | null} */
let chosen = null;
/** The turn in which it was chosen, and for which it holds. */
let turn = -1;

/** Tells a pair, and what it was a round ago. */
function tell() {
  const [m, told] = [model(), one("[data-told]")];
  if (!m || !told) return;
  if (m.turns !== turn) chosen = null;
  const cells = places();
  cells.flat().forEach((place) => place?.removeAttribute("aria-pressed"));
  const prepare = one("[data-prepare]");
  if (prepare) prepare.hidden = !chosen;
  if (!chosen) told.textContent = told.dataset.idle ?? "";
  if (!chosen) return;
  const [a, b] = chosen;
  cells[a][b]?.setAttribute("aria-pressed", "true");
  const names = { one: m.kinds[a], two: m.kinds[b] };
  all("[data-pair]").forEach((button) => { button.textContent = said(button.dataset.pair, names); });
  const [was, old] = [earlier(m), structuredClone(m)];
  if (was) old.scale = was;
  const before = was && was[a][b] !== m.scale[a][b] ? ` ${said(told.dataset.earlier, { rate: rate(old, a, b) })}` : "";
  told.textContent = `${(m.scale[a][b] > 0 ? cells[a][b] : cells[b][a]).title}${before}`;
}

/** Chooses the certificate of a currency in a form. @param {HTMLElement} act @param {string} kind */
function take(act, kind) {
  const choice = /** @type {HTMLInputElement | null} */ (one(`[name="str:first"][value="${kind}"]:enabled, [name="move"][value*='"${kind}"']`, act));
  if (choice) choice.checked = true;
  preview();
}

/** Fills a pair into a form: at the left what one pays or gives. @param {Element | null} form */
function fill(form) {
  const m = model();
  if (!m || !chosen || !form) return;
  const names = form.getAttribute("data-preview") === "spot" ? ["give", "get"] : ["pay", "receive"];
  chosen.forEach((k, n) => {
    const box = /** @type {HTMLInputElement | null} */ (one(`[name="str:${names[n]}"][value="${m.kinds[k]}"]:enabled`, form));
    if (box) box.checked = true;
  });
  preview();
}

/** On a phone the first tap brings the rates near, large enough for a thumb; the next one chooses. A key needs no such thing.
 * @param {MouseEvent} event @param {HTMLElement | null} place @returns {boolean} that was all the tap did */
function nears(event, place) {
  const small = place !== null && event.detail > 0 && place.getBoundingClientRect().height < THUMB && matchMedia("(max-width: 599px)").matches;
  document.body.classList.toggle("near", small);
  return small;
}
const THUMB = 40; // px

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const place = /** @type {HTMLButtonElement | null} */ (target.closest(".rates tbody button"));
  if (nears(event, place)) return;
  const signed = /** @type {HTMLElement | null} */ (target.closest("[data-kinds]"))?.dataset.kinds?.split(" ").map((kind) => model()?.kinds.indexOf(kind) ?? 0);
  if (place || signed) {
    const a = signed?.[0] ?? places().findIndex((row) => row.includes(/** @type {HTMLButtonElement} */ (place)));
    const b = signed?.[1] ?? places()[a].indexOf(/** @type {HTMLButtonElement} */ (place));
    chosen = chosen?.[0] === a && chosen[1] === b ? null : [a, b];
    turn = model()?.turns ?? turn;
    tell();
    if (chosen) one(".told")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
    fill(one('#dock .act[open] form:is([data-preview="contract"], [data-preview="spot"])'));
  }
  const opener = /** @type {HTMLElement | null} */ (target.closest("[data-open]"));
  const act = /** @type {HTMLDetailsElement | null} */ (document.getElementById(opener?.dataset.open ?? ""));
  if (!act) return;
  all("#dock .act[open]").forEach((other) => other.removeAttribute("open"));
  act.open = true;
  const { kind } = opener?.dataset ?? {};
  if (kind) take(act, kind);
  else fill(one("form", act));
});

/* One place is reached by Tab, the others by the arrows. */
document.addEventListener("keydown", (event) => {
  const cells = places();
  const a = cells.findIndex((row) => row.includes(/** @type {any} */ (event.target)));
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  if (a < 0 || !step) return;
  let [row, column] = [a + step[0], cells[a].indexOf(/** @type {any} */ (event.target)) + step[1]];
  if (row === column) [row, column] = [row + step[0], column + step[1]];
  cells[row]?.[column]?.focus();
  event.preventDefault();
  event.stopPropagation();
}, true);

document.addEventListener("input", (event) => {
  const form = /** @type {HTMLInputElement} */ (event.target).form;
  if (form?.dataset.preview) preview();
});
document.addEventListener("toggle", (event) => {
  const act = /** @type {HTMLDetailsElement} */ (event.target);
  if (!act.classList.contains("act")) return;
  const form = one("form[data-preview]", act);
  if (act.open && chosen && form && /contract|spot/.test(form.dataset.preview ?? "") && !one(".kinds :checked", form)) fill(form);
  else preview();
}, true);

function refresh() {
  places()[0]?.[1]?.removeAttribute("tabindex");
  tell();
  preview();
}

new MutationObserver(refresh).observe(document.body, { childList: true });
refresh();
