// The search of the documentation: over the headings and the text of all pages. The index is fetched when
// the reader first uses the search.

const MOST = 12; // results

const field = document.createElement("input");
Object.assign(field, { type: "search", id: "search", placeholder: "Search the docs", autocomplete: "off", spellcheck: false });
field.setAttribute("aria-label", "Search the headings and the text of all pages");
const said = document.createElement("p");
said.setAttribute("role", "status");
const list = document.createElement("ul");
list.className = "found";
const box = document.createElement("div");
box.className = "search";
box.append(field, said, list);
document.querySelector("#pages .home").after(box);

let index = null;
const load = () => (index ??= import("./search-index.js").then((m) => m.headings));
field.addEventListener("focus", load, { once: true });
field.addEventListener("input", show);
document.addEventListener("keydown", (e) => {
  if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target.closest?.("input, textarea")) return;
  e.preventDefault();
  field.focus();
});

const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** The sections that contain each word of the query. Those with the words in their heading come first, and of them those that begin with the first word. */
export function find(headings, query) {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const inText = ({ title, page, words: text = "" }) => {
    const all = ` ${plain(`${title} ${page}`)} ${text}`;
    return words.every((w) => all.includes(" " + w)); // a word of the text from its beginning
  };
  const inHeading = ({ title, page }) => words.every((w) => plain(`${title} ${page}`).includes(w));
  const fits = headings.filter((h) => inHeading(h) || inText(h));
  const rank = (h) => (!inHeading(h) ? 3 : plain(h.title).startsWith(words[0]) ? 0 : words.every((w) => plain(h.title).includes(w)) ? 1 : 2) + (h.title === h.page ? -0.5 : 0);
  return fits.map((h, i) => [rank(h), i, h]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , h]) => h);
}

async function show() {
  const headings = await load().catch(() => []);
  const all = find(headings, field.value);
  said.textContent = !field.value.trim() ? "" : !all.length ? "No section has these words." : all.length > MOST ? `${all.length} sections; the first ${MOST}:` : "";
  list.replaceChildren(...all.slice(0, MOST).map(({ address, title, page }) => {
    const a = document.createElement("a");
    a.href = address;
    a.append(title);
    if (title !== page) {
      const where = document.createElement("span");
      where.textContent = page;
      a.append(where);
    }
    const li = document.createElement("li");
    li.append(a);
    return li;
  }));
}
