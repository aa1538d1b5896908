// The clock of time zones in the Worker: the platform's own tables, because Go's would
// add 400 KiB to the module. worker/test/zones.test.mjs checks them.
const formats = new Map(); // zone → Intl.DateTimeFormat, or null for an unknown zone

// zoneOffset returns the offset of a time zone from UTC in seconds at a time in Unix
// milliseconds, or null for a zone that is not known.
export function zoneOffset(zone, at) {
  if (!formats.has(zone)) {
    let made = null;
    try {
      if (/^[A-Za-z]/.test(zone)) {
        made = new Intl.DateTimeFormat("en-US", { timeZone: zone, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23",
          year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" });
      }
    } catch {
      // a RangeError says that the zone is not known
    }
    formats.set(zone, made);
  }
  const format = formats.get(zone);
  if (!format) return null;
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const local = Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second);
  return Math.round((local - Math.floor(at / 1000) * 1000) / 1000);
}
