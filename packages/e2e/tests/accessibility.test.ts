import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/faults.ts'
import {
  comeBack,
  fillProposal,
  names,
  type Owner,
  openConnectDialog,
  safePath,
  sectionPath,
  transactionPath,
  verdict,
} from '../src/owner.ts'
import { type Scene, startScene } from '../src/scene.ts'
import { readDemoQueue, signInByScript } from '../src/script-owner.ts'
import { demoOwners, team } from '../src/team.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({})
})
afterAll(() => scene?.close())

describe('a visitor', () => {
  afterEach(() => scene.closeOwners())

  test('behavior: welcome and the connect dialog, by keyboard alone', async () => {
    const { page, url } = await scene.owner(team.anna.privateKey)
    await page.goto(url)
    const connect = page.getByRole('banner').getByRole('button', { name: names.connect })
    await connect.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await connect.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    expect(await faultsOf(page)).toEqual([])
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true)
    }
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await connect.evaluate((button) => button === document.activeElement)).toBe(true)
    await openConnectDialog(page)
  })
})

type Demo = Awaited<ReturnType<typeof readDemoQueue>>

/** Each goes to its screen and waits until all of it is there. */
const screens: Record<string, (owner: Owner, demo: Demo) => Promise<void>> = {
  'My Safes': async ({ page, url, chainId }, { safeAddress }) => {
    await page.goto(url)
    await page
      .locator(`a[href*="${safePath(chainId, safeAddress)}" i]`)
      .first()
      .waitFor()
  },
  'a Safe': async ({ page, url, chainId }, { safeAddress, harmless }) => {
    await page.goto(`${url}${safePath(chainId, safeAddress)}`)
    await page.locator(`a[href*="${harmless}"]`).first().waitFor()
  },
  'the queue of a Safe': async ({ page, url, chainId }, { safeAddress, malicious }) => {
    await page.goto(`${url}${sectionPath(chainId, safeAddress, 'queue')}`)
    await page.locator(`[data-transaction="${malicious}"] [data-listed-verdict]`).waitFor()
  },
  'the history of a Safe': async ({ page, url, chainId }, { safeAddress }) => {
    await page.goto(`${url}${sectionPath(chainId, safeAddress, 'history')}`)
    await page.locator('[data-history-row] summary').first().click()
    await page.locator('[data-entry]').first().waitFor()
  },
  'the assets of a Safe': async ({ page, url, chainId }, { safeAddress }) => {
    await page.goto(`${url}${sectionPath(chainId, safeAddress, 'assets')}`)
    await page.locator('[data-amount]').first().waitFor()
  },
  'the settings of a Safe': async ({ page, url, chainId }, { safeAddress }) => {
    await page.goto(`${url}${sectionPath(chainId, safeAddress, 'settings')}`)
    await page.locator('[data-safe-nonce]').waitFor()
  },
  'the settings of a person': async ({ page, url }) => {
    await page.goto(`${url}/account`)
    await page.locator('[data-sessions] li').first().waitFor()
  },
  'a harmless transaction': async ({ page, url, chainId }, { safeAddress, harmless }) => {
    await page.goto(`${url}${transactionPath(chainId, safeAddress, harmless)}`)
    await verdict(page, /^matches$/i).waitFor()
  },
  'a malicious transaction': async ({ page, url, chainId }, { safeAddress, malicious }) => {
    await page.goto(`${url}${transactionPath(chainId, safeAddress, malicious)}`)
    await verdict(page, names.doNotSign).waitFor()
  },
  'a proposal': async (owner, { safeAddress }) => {
    await fillProposal(owner, safeAddress, { to: team.stranger.address, amount: '0.5' })
  },
  'the team': async ({ page, url, chainId }, { safeAddress }) => {
    await page.goto(`${url}${safePath(chainId, safeAddress)}`)
    await page.getByRole('navigation').getByRole('link', { name: 'Team' }).click()
    await page.locator('[data-owner]').first().waitFor()
    expect(await page.getByRole('navigation').locator('[aria-current="page"]').allInnerTexts()).toEqual(['Team'])
  },
  'what can still be executed': async ({ page, url, chainId }, { safeAddress }) => {
    await page.goto(`${url}${safePath(chainId, safeAddress)}/signatures`)
    await page.locator('[data-alive-account]').first().waitFor()
    await page.locator('[data-verdict="do-not-sign"]').first().waitFor()
  },
  'the webhooks': async ({ page, url, chainId }, { safeAddress }) => {
    await page.goto(`${url}${safePath(chainId, safeAddress)}/team/webhooks`)
    await page.getByText('No webhooks yet').waitFor()
  },
  'the policy of the team': async ({ page, url, chainId }, { safeAddress }) => {
    await page.goto(`${url}${safePath(chainId, safeAddress)}/team/policy`)
    await page.getByText('No policy yet').waitFor()
  },
  'the address book': (owner, demo) => openList(owner, demo, 'book'),
  'the activity': (owner, demo) => openList(owner, demo, 'activity'),
  'API tokens': async ({ page, url }) => {
    await page.goto(`${url}/tokens`)
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
  },
  'the design page': async ({ page, url }) => {
    await page.goto(`${url}/design`)
    await page.getByRole('heading').first().waitFor()
  },
  'no page at all': async ({ page, url }) => {
    await page.goto(`${url}/nowhere`)
    await page.getByRole('main').getByText('/nowhere').first().waitFor()
  },
}

async function openList({ page, url, chainId }: Owner, { safeAddress }: Demo, screen: string): Promise<void> {
  await page.goto(`${url}${safePath(chainId, safeAddress)}/${screen}`)
  await page.getByRole('listitem').last().waitFor()
}

describe('an owner', () => {
  let owner: Owner
  let demo: Demo
  beforeAll(async () => {
    owner = await scene.owner(demoOwners[0].privateKey)
    await comeBack(owner)
    demo = await readDemoQueue(await signInByScript(owner.url, demoOwners[0].privateKey, scene.chainId))
  })
  afterEach(() => {
    try {
      owner.watch.assertNone()
    } finally {
      // Each screen answers for its own.
      owner.watch.troubles.length = 0
    }
  })
  afterAll(() => scene.closeOwners())

  test.each(Object.keys(screens))('behavior: %s: no violation in either theme, and it fits 320 px', async (screen) => {
    await screens[screen]?.(owner, demo)
    expect(await faultsOf(owner.page)).toEqual([])
  })
})
