const STORED_LOCALE = 'countersign.locale'

/** Languages that there is a catalogue for. */
const languages = ['en', 'de', 'es', 'fr', 'zh'] as const
export type Language = (typeof languages)[number]

/** Each language by the name that its readers know it by. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  zh: '中文（简体）',
}

/** Which catalogue is read, and by whose customs numbers and times are written: American English is not British. */
export let locale: { language: Language; formats: string } = { language: 'en', formats: 'en-GB' }

type Storage = { getItem: (key: string) => string | null; setItem: (key: string, value: string) => void }

/** Chooses the language once, before anything is drawn: the one chosen earlier, or what the browser prefers. */
export function startLocale(storage: Storage, preferred: readonly string[]): void {
  locale = chooseLocale(storage.getItem(STORED_LOCALE), preferred)
}

/** Keeps a choice; the page has to be loaded again. Anything that is no language is not kept. */
export function storeLocale(storage: Storage, language: string): void {
  if (isLanguage(language)) storage.setItem(STORED_LOCALE, language)
}

export function chooseLocale(stored: string | null, preferred: readonly string[]): typeof locale {
  const wanted = [...(stored ? [stored] : []), ...preferred]
  const language = wanted.map(languageOf).find(isLanguage) ?? 'en'
  // Formats of another language than the words would mix two in one sentence.
  const formats = preferred.find((tag) => languageOf(tag) === language && isSupported(tag)) ?? defaultFormats[language]
  return { language, formats }
}

const defaultFormats = { en: 'en-GB', de: 'de-DE', es: 'es-ES', fr: 'fr-FR', zh: 'zh-CN' } as const satisfies Record<
  Language,
  string
>

function languageOf(tag: string): string {
  return tag.split('-')[0]?.toLowerCase() ?? ''
}

export function isLanguage(text: string): text is Language {
  return (languages as readonly string[]).includes(text)
}

function isSupported(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

const STORED_ZONE = 'countersign.timeZone'

/** The zone that times are written in: the one of the device, or UTC where the person chose it. */
export let timeZone: 'device' | 'UTC' = 'device'

/** Chooses the zone once, before anything is drawn. */
export function startTimeZone(storage: Storage): void {
  timeZone = storage.getItem(STORED_ZONE) === 'UTC' ? 'UTC' : 'device'
}

/** Keeps a choice. What is drawn already stays as it is until it is drawn again. */
export function storeTimeZone(storage: Storage, zone: typeof timeZone): void {
  storage.setItem(STORED_ZONE, zone)
  timeZone = zone
}

/** The formats of `Intl` that were made, by what they are for: each costs more than all that it ever writes. */
const made = new Map<string, unknown>()

function keep<const Options extends object, Format>(
  Kind: new (locale: string, options: Options) => Format,
  language: string,
  options: Options,
): Format {
  const key = `${Kind.name} ${language} ${JSON.stringify(options)}`
  const found = made.get(key)
  if (found !== undefined) return found as Format
  const format = new Kind(language, options)
  made.set(key, format)
  return format
}

/** The plural form that a count takes in the reader's language: `one`, `few`, `other` … */
export function pluralForm(
  count: number,
  type: 'cardinal' | 'ordinal' = 'cardinal',
  language: string = locale.language,
): string {
  return keep(Intl.PluralRules, language, { type }).select(count)
}

/** A count by the reader's customs. Amounts of money are never written by it: `formatAmount` is. */
export function formatNumber(value: number | bigint): string {
  return keep(Intl.NumberFormat, locale.formats, {}).format(value)
}

/** A moment by the reader's customs and in their time, with its zone. */
export function formatTime(date: Date): string {
  return keep(Intl.DateTimeFormat, locale.formats, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    ...zoneOptions(),
  }).format(date)
}

const MINUTE_MS = 60_000
const ages = [
  ['day', 1440 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
] as const

/** How long ago something was, in its largest fitting unit, short; after a month by its day. */
export function formatAge(date: Date, now: number): string {
  const age = now - date.getTime()
  if (age > 30 * 1440 * MINUTE_MS)
    return keep(Intl.DateTimeFormat, locale.formats, { day: 'numeric', month: 'short', year: 'numeric' }).format(date)
  const format = keep(Intl.RelativeTimeFormat, locale.formats, { numeric: 'auto', style: 'short' })
  for (const [unit, size] of ages) if (age >= size) return format.format(-Math.floor(age / size), unit)
  return format.format(0, 'second')
}

/** A day, `2026-11-22`, as the reader writes days. */
export function formatDay(day: string): string {
  return keep(Intl.DateTimeFormat, locale.formats, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
}

/** The day of a moment in the reader's zone, as `2026-11-22`. */
export function dayOf(date: Date): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  return keep(Intl.DateTimeFormat, 'en-CA', { ...parts, ...zoneOptions() }).format(date)
}

/** The hour and minute of a moment by the reader's customs, without its day. */
export function formatHour(date: Date): string {
  return keep(Intl.DateTimeFormat, locale.formats, { hour: '2-digit', minute: '2-digit', ...zoneOptions() }).format(
    date,
  )
}

function zoneOptions(): { timeZone?: string } {
  return timeZone === 'UTC' ? { timeZone } : {}
}

/** Several values as one text. As a list of units they would stand without anything between them in Chinese. */
export function formatList(values: readonly string[]): string {
  return keep(Intl.ListFormat, locale.formats, { type: 'conjunction', style: 'narrow' }).format(values)
}

/** How long something still lasts, in its largest fitting units: `23 hours, 59 minutes`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  const units =
    seconds >= 3600
      ? ([
          ['hour', Math.floor(seconds / 3600)],
          ['minute', Math.floor((seconds % 3600) / 60)],
        ] as const)
      : seconds >= 60
        ? ([['minute', Math.floor(seconds / 60)]] as const)
        : ([['second', seconds]] as const)
  const parts = units.map(([unit, value]) =>
    keep(Intl.NumberFormat, locale.formats, { style: 'unit', unit, unitDisplay: 'long' }).format(value),
  )
  return keep(Intl.ListFormat, locale.formats, { type: 'unit', style: 'long' }).format(parts)
}
