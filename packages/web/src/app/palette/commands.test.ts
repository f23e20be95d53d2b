import { describe, expect, test } from 'vitest'
import { type Command, findCommands } from './commands.ts'

const command = (label: string, part: Partial<Command> = {}): Command => ({
  id: label,
  group: 'here',
  label,
  run: () => {},
  ...part,
})
const labels = (commands: readonly Command[]) => commands.map(({ label }) => label)

describe('findCommands', () => {
  test('default: nothing typed gives all in their order, up to a limit', () => {
    expect(labels(findCommands([command('Queue'), command('Assets')], ' '))).toEqual(['Queue', 'Assets'])
    expect(
      findCommands(
        Array.from({ length: 100 }, (_, at) => command(`Line ${at}`)),
        '',
      ),
    ).toHaveLength(40)
  })

  test('behavior: what begins with the words comes first, then what has a word that does', () => {
    const all = [command('Send 5 ETH to “Queue keeper”'), command('Go back (queue)'), command('Queue')]
    expect(labels(findCommands(all, 'que'))).toEqual(['Queue', 'Send 5 ETH to “Queue keeper”', 'Go back (queue)'])
  })

  test('behavior: every word has to be somewhere, an address among them', () => {
    const all = [command('Treasury', { about: 'Sepolia', more: '0xAbCd' }), command('Treasury', { about: 'Base' })]
    expect(findCommands(all, 'treas sepolia')).toEqual([all[0]])
    expect(findCommands(all, '0xabcd')).toEqual([all[0]])
    expect(findCommands(all, 'treasury gnosis')).toEqual([])
  })
})
