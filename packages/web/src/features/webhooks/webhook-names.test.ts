import type { Webhook } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { nameWebhooks } from './webhook-names.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function webhook(id: string, url: string, minute: number): Webhook {
  const createdAt = `2026-01-01T00:0${minute}:00.000Z`
  return { id, url, account, events: ['ready'], createdAt, state: 'on', waiting: 0 }
}

describe('nameWebhooks', () => {
  test('default: by the host', () => {
    const names = nameWebhooks([
      webhook('a', 'https://chat.example/hook', 1),
      webhook('b', 'https://example.org:8443', 0),
    ])
    expect([names.get('a'), names.get('b')]).toEqual(['chat.example', 'example.org:8443'])
  })

  test('behavior: those of one host are numbered, the older keep their names', () => {
    const first = webhook('z', 'https://chat.example/one', 1)
    const second = webhook('a', 'https://chat.example', 2)
    const third = webhook('b', 'https://chat.example', 2)
    expect([...nameWebhooks([second, first])]).toEqual([
      ['z', 'chat.example'],
      ['a', 'chat.example (2)'],
    ])
    expect([...nameWebhooks([third, second, first])].at(-1)).toEqual(['b', 'chat.example (3)'])
  })
})
