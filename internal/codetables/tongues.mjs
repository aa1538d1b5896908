// Writes core/base/tongues/tongues.txt: words of other languages for values, from CLDR's months,
// days of the week, halves of the day, units of time, and yes and no, and the words of
// reviewed.txt. A word that means two things, or that is an English word of another meaning, is
// left out. FOLDER has the npm packages cldr-dates-full, cldr-units-full and cldr-misc-full:
//
//   node internal/codetables/tongues.mjs FOLDER > core/base/tongues/tongues.txt

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const languages = ["de", "fr", "es", "pt", "it", "nl", "sv", "pl", "tr", "ru", "ja", "zh", "ko"];
const months = "january february march april may june july august september october november december".split(" ");
const days = { sun: "sunday", mon: "monday", tue: "tuesday", wed: "wednesday", thu: "thursday", fri: "friday", sat: "saturday" };
const units = ["second", "minute", "hour", "day", "week", "month", "year"];
const english = new Set([...months, ...months.map((m) => m.slice(0, 3)), ...Object.values(days), ...Object.values(days).map((d) => d.slice(0, 3)),
  ..."sept yes no true false on off am pm s m h d w ms min sec hr day days week weeks month months year years hour hours minute minutes second seconds a an to from in one once her his die an also list die name note per set item case tag".split(" ")]);
/** Short forms that are no English word. The others of at most three plain letters are left out. */
const shortForms = new Set("dez dic okt ott ene abr mrt avr lun jeu gio okt".split(" "));

const read = (pack, language, file) => JSON.parse(readFileSync(join(folder, "node_modules", pack, "main", language, file), "utf8")).main[language];

/** Maps "group english" to the set of foreign words. */
const rows = new Map();
const add = (group, meaning, word, short = false) => {
  word = word.toLowerCase().replace(/\.$/, "").normalize("NFC");
  const key = `${group} ${meaning}`;
  if (word !== meaning && word !== "" && !/[\s\d]/.test(word) && !(/^[a-z]{1,3}$/.test(word) && !shortForms.has(word) && short)) rows.set(key, (rows.get(key) ?? new Set()).add(word));
};

for (const language of languages) {
  const gregorian = read("cldr-dates-full", language, "ca-gregorian.json").dates.calendars.gregorian;
  for (const form of ["format", "stand-alone"]) {
    for (const width of ["wide", "abbreviated"]) {
      for (const [n, word] of Object.entries(gregorian.months[form][width])) if (word.length > 2) add("value", months[n - 1], word, width === "abbreviated");
      for (const [d, word] of Object.entries(gregorian.days[form][width])) if (word.length > 2) add("value", days[d], word, width === "abbreviated");
    }
  }
  for (const half of ["am", "pm"]) add("value", half, gregorian.dayPeriods.format.wide[half], true);
  const time = read("cldr-units-full", language, "units.json").units.long;
  for (const unit of units) {
    for (const [name, pattern] of Object.entries(time[`duration-${unit}`])) if (name.includes("count")) add("value", unit, pattern.replace("{0}", "").trim());
  }
  const { yesstr, nostr } = read("cldr-misc-full", language, "posix.json").posix.messages;
  for (const word of yesstr.split(":")) if (word.length > 1) add("value", "yes", word);
  for (const word of nostr.split(":")) if (word.length > 1) add("value", "no", word);
}

for (const line of readFileSync(new URL("reviewed.txt", import.meta.url), "utf8").split("\n")) {
  const [group, meaning, ...words] = line.split(" ");
  if (group === "#" || group === "") continue;
  for (const word of words) rows.set(`${group} ${meaning}`, (rows.get(`${group} ${meaning}`) ?? new Set()).add(word));
}

const meanings = new Map();
for (const [key, words] of rows) for (const word of words) {
  const [group] = key.split(" ");
  meanings.set(`${group} ${word}`, (meanings.get(`${group} ${word}`) ?? 0) + 1);
}
let body = "";
for (const [key, words] of rows) {
  const [group] = key.split(" ");
  const kept = [...words].filter((w) => meanings.get(`${group} ${w}`) === 1 && !(group !== "polite" && english.has(w)));
  if (kept.length > 0) body += `${key} ${kept.join(" ")}\n`;
}
const { version } = JSON.parse(readFileSync(join(folder, "node_modules", "cldr-dates-full", "package.json"), "utf8"));
process.stdout.write(`# Written by internal/codetables/tongues.mjs from CLDR ${version} (Unicode License v3) and a reviewed table.
# sha256 of the rows: ${createHash("sha256").update(body).digest("hex")}
${body}`);
