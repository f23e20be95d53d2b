import safe from './en/safe.json'
import { addTexts } from './text.ts'

// Texts of the pages of a Safe. The first page needs none of it.
addTexts('safe', safe)

export { text } from './text.ts'
