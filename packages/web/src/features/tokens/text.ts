import tokens from '../../text/en/tokens.json'
import { addTexts } from '../../text/text.ts'

addTexts('tokens', tokens)

export { text } from '../../text/text.ts'
