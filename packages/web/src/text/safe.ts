import { needTexts } from './text.ts'

// Texts of the pages of a Safe. The first page needs none of it.
needTexts('safe')

export { text } from './text.ts'
