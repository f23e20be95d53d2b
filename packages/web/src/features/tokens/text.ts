import { enTokens } from '../../text/en-tokens.ts'
import { addTexts } from '../../text/text.ts'

addTexts('en', enTokens)

export { text } from '../../text/text.ts'
