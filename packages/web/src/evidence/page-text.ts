import { needTexts } from '../text/text.ts'

// Texts of the page of a transaction or a message, which no list shows.
needTexts('import-signature', 'device', 'guide')

export { text } from '../safe/text.ts'
