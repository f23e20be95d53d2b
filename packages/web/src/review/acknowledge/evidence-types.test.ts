import type { EvidenceName, Finding, FindingId, findingCatalogue } from '@countersign/review'
import { expect, test } from 'vitest'
import type { TextValues } from '../../text/keys.gen.ts'

/** Endings of sentences that need less to be known. */
type Ending = 'less' | 'least' | 'receiver' | 'bare' | 'nobody'

type CaseOf<Id extends FindingId> = (typeof findingCatalogue)[Id] extends { cases: readonly (infer Case)[] }
  ? Case
  : never

type FaultOf<Id extends FindingId, Last, Key extends string, Values> =
  | (Last extends Ending | CaseOf<Id> ? never : `${Key}: no case of ${Id} ends so. Add it to cases in catalogue.ts.`)
  | `${Key}: ${Id} declares no evidence {${Exclude<keyof Values, EvidenceName<Id>> & string}}. Declare it in catalogue.ts.`

/** Faults of the sentences that acknowledge findings, each as a message; never if there is none. */
type SentenceFault<Texts> = {
  [Key in keyof Texts]: Key extends `acknowledge.${infer Id extends FindingId}.${infer Last}`
    ? FaultOf<Id, Last, Key, Texts[Key]>
    : Key extends `acknowledge.${infer Id extends FindingId}`
      ? FaultOf<Id, 'less', Key, Texts[Key]>
      : never
}[keyof Texts]

/** Cases of findings that have no sentence. */
type CaseFault<Keys> = {
  [Id in FindingId]: CaseOf<Id> extends infer Case extends string ? Exclude<`acknowledge.${Id}.${Case}`, Keys> : never
}[FindingId]

/** Compiles where a type is `never`; else the compiler's message names what is wrong. */
function none<Fault extends string>(_fault: [Fault] extends [never] ? null : Fault): void {}

const address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const base = { severity: 'high', where: {} } as const

test('sentences name what the catalogue declares, and each case has one', () => {
  none<SentenceFault<TextValues>>(null)
  none<CaseFault<keyof TextValues>>(null)
})

test('a sentence that asks for other evidence, or for a case that is none, does not compile', () => {
  // @ts-expect-error -- an owner's finding declares no `ownr`
  none<SentenceFault<{ 'acknowledge.OWNER-ADD': { ownr: string } }>>(null)
  none<SentenceFault<{ 'acknowledge.OWNER-ADD': { owner: string } }>>(null)
  // @ts-expect-error -- no role is merely thought of
  none<SentenceFault<{ 'acknowledge.ROLE-CHANGE.thinks': { to: string } }>>(null)
  // @ts-expect-error -- cases without a sentence
  none<CaseFault<'acknowledge.RENOUNCE'>>(null)
  const sentence: SentenceFault<{ 'acknowledge.OWNER-ADD': { ownr: string } }> =
    'acknowledge.OWNER-ADD: OWNER-ADD declares no evidence {ownr}. Declare it in catalogue.ts.'
  expect(sentence).toContain('catalogue.ts')
})

test('a finding whose evidence is missing, of another type, or not declared does not compile', () => {
  const good: Finding = { id: 'ADDR-LOOKALIKE', evidence: { address, resembles: address }, ...base }
  // @ts-expect-error -- `resembles` is missing
  const missing: Finding = { id: 'ADDR-LOOKALIKE', evidence: { address }, ...base }
  // @ts-expect-error -- a threshold is a number
  const other: Finding = { id: 'THRESHOLD-DOWN', evidence: { after: '1' }, ...base }
  // @ts-expect-error -- a threshold has no token
  const undeclared: Finding = { id: 'THRESHOLD-DOWN', evidence: { after: 1, token: address }, ...base }
  expect([good, missing, other, undeclared].map(({ id }) => id)).toHaveLength(4)
})
