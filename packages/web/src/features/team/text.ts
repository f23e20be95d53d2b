import { enTeam } from '../../text/en-team.ts'
import { addTexts } from '../../text/text.ts'

addTexts('en', enTeam)

export { text } from '../../text/text.ts'
