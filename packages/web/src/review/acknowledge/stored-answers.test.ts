import type { Demand } from '@countersign/review'
import { type Address, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { findingFrom } from '../../safe/words/finding-scene.ts'
import { onStoredAnswerChange, readStoredAnswer, storeAnswer, storedAnswersText } from './stored-answers.ts'

const anna: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const bruno: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const finding = findingFrom('APPROVE-UNLIMITED', {})
const demand = (key: `0x${string}`): Demand => ({
  key: keccak256(key),
  finding,
  places: 1,
  things: [finding],
  way: 'tick',
})

test('an answer is kept for one account and one demand alone, and tells who listens', () => {
  let changes = 0
  const stop = onStoredAnswerChange(() => changes++)
  storeAnswer(anna, demand('0x01'), { words: 'May take all' })
  expect(readStoredAnswer(anna, demand('0x01'))).toEqual({
    key: keccak256('0x01'),
    id: 'APPROVE-UNLIMITED',
    words: 'May take all',
  })
  expect([readStoredAnswer(bruno, demand('0x01')), readStoredAnswer(anna, demand('0x02'))]).toEqual([null, null])
  expect([storedAnswersText(bruno, [demand('0x01')]), storedAnswersText(null, [demand('0x01')])]).toEqual(['', ''])
  storeAnswer(anna, demand('0x01'), null)
  expect([readStoredAnswer(anna, demand('0x01')), changes]).toEqual([null, 2])
  stop()
})

test('what else stands in the store of the tab is no answer', () => {
  storeAnswer(anna, demand('0x03'), { words: 5 } as never)
  expect(readStoredAnswer(anna, demand('0x03'))).toBeNull()
  storeAnswer(anna, demand('0x03'), { words: 'Yes', typed: 7, reason: null } as never)
  expect(readStoredAnswer(anna, demand('0x03'))).toEqual({
    key: keccak256('0x03'),
    id: 'APPROVE-UNLIMITED',
    words: 'Yes',
  })
})
