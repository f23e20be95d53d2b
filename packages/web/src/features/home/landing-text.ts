import { needTexts } from '../../text/text.ts'

needTexts('landing')

export { text } from '../../text/text.ts'
