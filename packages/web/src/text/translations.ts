/** The texts of every area in every language but English, by their path: what loads one of them. */
export const translations = import.meta.glob<Record<string, unknown>>(['./*/*.json', '!./en/*.json'], {
  import: 'default',
})
