import { addTexts } from './text/text.ts'

/** Texts that tests find: all in English, as a page finds those of its areas. */
const english = import.meta.glob<Record<string, unknown>>('./text/en/*.json', { import: 'default', eager: true })
for (const texts of Object.values(english)) addTexts(texts)
