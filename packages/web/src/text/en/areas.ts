/** Loaders of the texts of each area in this language, by their file. */
export const areas = import.meta.glob<Record<string, unknown>>('./*.json', { import: 'default' })
