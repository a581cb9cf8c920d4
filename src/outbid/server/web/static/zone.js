// @ts-check
/* Says times in the zone of the reader: the text of [data-local], or only its title; [data-local="day"] is its day there,
   "date" a day and "month" its month, the same everywhere. Without script they say UTC. */

const { lang } = document.documentElement;
/** As the reader writes times, in the language of the page. */
const locale = navigator.languages.find((name) => name.startsWith(lang)) ?? lang;
/** @type {Record<string, Intl.DateTimeFormat>} */
const days = {
  day: new Intl.DateTimeFormat(locale, { dateStyle: "medium" }),
  date: new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }),
  month: new Intl.DateTimeFormat(locale, { month: "short", timeZone: "UTC" }),
};
const [hour, day, whole] = [
  new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }),
  new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }),
  new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long" }),
];

function localize() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-local]"))) {
    const at = new Date(time.dateTime);
    const { local = "" } = time.dataset, format = days[local];
    if (format) time.textContent = format.format(at);
    else if (local !== "title") time.textContent = (at.toDateString() === new Date().toDateString() ? hour : day).format(at);
    if (!format) time.title = whole.format(at);
    time.removeAttribute("data-local");
  }
}

new MutationObserver(localize).observe(document.body, { childList: true, subtree: true });
localize();
