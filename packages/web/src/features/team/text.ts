import { needTexts } from '../../text/text.ts'

needTexts('team', 'tokens')

export { text } from '../../text/text.ts'
