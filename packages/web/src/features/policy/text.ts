import policy from '../../text/en/policy.json'
import { addTexts } from '../../text/text.ts'

addTexts('policy', policy)

export { text } from '../../text/text.ts'
