import { addSafe, getSafe, listSafes, nameAddress, type Safe } from '@countersign/contract'
import { requestNode } from '@countersign/devnet'
import { readSafeState } from '@countersign/safe'
import { screen, waitFor } from '@testing-library/react'
import type { Address } from 'viem'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { devnet } from '../../test/configuration.ts'
import { type FakeBrowser, fill, findPart, press, pressButton, startBrowser, team } from '../../test/open-page.ts'
import { demand, expectWords, pressEnabled, tick } from '../../test/review-page.ts'
import { safeOf, safePath } from '../../test/safe.ts'
import { startTreasury } from '../../test/treasury.ts'

let browser: FakeBrowser
beforeEach(async () => {
  browser = startBrowser()
  await startTreasury(browser.server)
})
afterEach(() => browser.close())

test('behavior: its address is shown before the payment, and the new Safe has its names', async () => {
  const { server } = browser
  let added: Safe | null = null
  server.answer(addSafe, ({ address }) => {
    const { anna, bruno, relayer } = team
    added = safeOf({ address, owners: [anna.address, bruno.address, relayer.address], version: '1.5.0+L2' })
    return added
  })
  server.answer(listSafes, () => ({ safes: added ? [added] : [] }))
  server.answer(getSafe, () => ({ ...(added ?? safeOf()), paid: [], isPaidWhole: true }))
  await browser.comeBack(team.anna)
  await browser.open('/')
  press(await screen.findByRole('link', { name: 'Create a Safe' }))
  await fill('Name of the Safe', 'Fresh treasury')
  await fill('Address of owner 2', team.anna.address)
  await pressButton('Review')
  await expectWords('This address is already an owner.')
  await fill('Address of owner 2', team.bruno.address)
  await pressButton('Add an owner')
  await fill('Address of owner 3', team.relayer.address)
  await fill('Name of owner 3', 'Carla')
  // A reload keeps everything that was typed.
  await browser.open(location.pathname + location.search)
  const name = await screen.findByLabelText<HTMLInputElement>('Name of owner 3', { selector: 'input' })
  await waitFor(() => expect(name.value).toBe('Carla'))
  await pressButton('Review')

  const shown = await findPart('[data-create="review"] dl [data-address]')
  const address = shown.getAttribute('data-address') as Address
  await expectWords(/1 warning/)
  // The review lists owners without a name.
  await demand('CREATION-UNNAMED')
  expect((await findPart('[data-evidence="newOwners"]')).textContent).toContain(team.bruno.address)
  await findPart('[data-cost]')
  expect(document.querySelectorAll('[data-code-hash]')).toHaveLength(3)
  const rpcUrl = inject('rpcUrl')
  expect(await requestNode(rpcUrl, 'eth_getCode', address, 'latest')).toBe('0x')
  await tick('CREATION-UNNAMED')
  await pressEnabled('Create the Safe')
  press(await screen.findByRole('link', { name: 'Open the Safe' }))
  await waitFor(() => expect(location.pathname).toBe(safePath('', devnet, address)))
  const names = server.asked(nameAddress).map((asked) => [asked.address, asked.name])
  expect(names).toContainEqual([address, 'Fresh treasury'])
  expect(names).toContainEqual([team.relayer.address, 'Carla'])
  const ask = ({ method, params }: { method: string; params?: unknown }) =>
    requestNode(rpcUrl, method, ...((params ?? []) as unknown[]))
  const { owners, threshold, version } = await readSafeState(ask as never, address, devnet.chainId)
  expect({ owners, threshold, version }).toEqual({
    owners: [team.anna.address, team.bruno.address, team.relayer.address],
    threshold: 2,
    version: '1.5.0+L2',
  })
})
