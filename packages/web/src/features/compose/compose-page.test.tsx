import {
  findListedTokens,
  getConfiguration,
  listDrafts,
  proposeTransaction,
  removeDraft,
  shareDraft,
  type TeamDraft,
} from '@countersign/contract'
import { deployHostileToken, requestNode, testContracts } from '@countersign/devnet'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  erc1155Abi,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  parseEther,
} from 'viem'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { FakeEventSource } from '../../test/browser-stubs.ts'
import { configuration, devnet } from '../../test/configuration.ts'
import {
  choose,
  chooseFile,
  type FakeBrowser,
  fill,
  findPart,
  press,
  pressButton,
  startBrowser,
  team,
} from '../../test/open-page.ts'
import {
  expectButton,
  expectGone,
  expectWords,
  findButton,
  openFold,
  pressEnabled,
  tickAll,
  typeChange,
} from '../../test/review-page.ts'
import { deployCode, mint, send, startTreasury, type Treasury, token } from '../../test/treasury.ts'

let browser: FakeBrowser
let treasury: Treasury
let drafts: TeamDraft[]

async function start(options?: Parameters<typeof startTreasury>[1]): Promise<void> {
  browser = startBrowser()
  treasury = await startTreasury(browser.server, options)
  drafts = []
  browser.server.answer(listDrafts, () => ({ drafts, nextCursor: null }))
  await browser.comeBack(team.anna)
}
beforeEach(() => start())
afterEach(() => browser.close())

/** Accepts any call, so that the review has no warnings. */
const silent: Hex = '0x0000'

async function openForm(): Promise<void> {
  await browser.open(treasury.path('/new'))
  await screen.findByLabelText('Type', { selector: 'select' })
}

async function pay(to: Address, amount: string): Promise<void> {
  await fill('Recipient', to)
  await fill('Amount', amount)
}

/** Signs the reviewed transaction. @returns the request to the server */
async function signAndPropose() {
  await tickAll()
  const before = browser.server.asked(proposeTransaction).length
  await pressEnabled('Sign and propose')
  await waitFor(() => expect(browser.server.asked(proposeTransaction)).toHaveLength(before + 1))
  const sent = browser.server.asked(proposeTransaction).at(-1)
  await waitFor(() => expect(location.pathname).toBe(treasury.path(`/transactions/${sent?.safeTxHash}`)))
  return sent?.safeTx as NonNullable<typeof sent>['safeTx']
}

/** Opens a draft from a file. */
async function openDraft(kind: string, typed: Record<string, string>): Promise<void> {
  const content = { entries: [{ id: 1, kind, typed }], origin: 'Theirs', nonce: null }
  await openFold('Import or export a file')
  const group = screen.getByText('Import or export a file').closest('details') as HTMLElement
  const field = await within(group).findByLabelText('Or choose the file')
  const file = { countersign: 'draft', chainId: String(treasury.safe.chainId), content }
  chooseFile(field, 'draft.json', JSON.stringify(file))
  await expectWords('1 call is added.')
}

const typedIn = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input, select' }).value
const part = (selector: string) => document.querySelector(selector)?.textContent ?? ''

test('behavior: the form says why a draft cannot be reviewed, and reviews it again', async () => {
  const chains = [{ ...devnet, tokens: [token], listRevision: '1' }]
  browser.server.answer(getConfiguration, { ...configuration, chains })
  browser.server.fail(findListedTokens, 'INTERNAL')
  await openForm()
  await waitFor(() => expect(document.querySelector(`option[value="${token.address}"]`)).not.toBeNull())
  await choose('Asset', token.address)
  await pay(team.stranger.address, '1')
  await expectWords('Something went wrong on the server')
  browser.server.answer(findListedTokens, { revision: '1', tokens: [] })
  await pressButton('Retry')
  await findPart('[data-live-verdict]')
})

describe('a transaction of more bytes than nodes accept', () => {
  const data = (bytes: number): Hex => `0x${'ab'.repeat(bytes)}`

  test('behavior: the form reports it, with the remedy', async () => {
    const contract = await deployCode(silent)
    await openForm()
    const writeCall = async () => {
      await choose('Type', 'call')
      await fill('Contract', contract)
      await fill('Data', data(70_000))
    }
    await writeCall()
    await pressButton('Add a call')
    await writeCall()
    const told = await findPart('[data-live-size]')
    expect(told.textContent).toMatch(/^About 141,\d{3} bytes .* more than the 131,072 that nodes take/)
    await waitFor(() => expect(part('[data-live-verdict]')).toContain('Too many bytes for one transaction'))
    await pressButton('Propose the first entry now, the rest next')
    await findPart('[data-live-gas="ordinary"]')
    await expectGone('[data-live-size]')
  })

  test('behavior: the pages that execute it report it, and the page for several has no button', async () => {
    const { safeAddress } = treasury.safe
    const copies = parseAbi(['function mint(address to, uint256 id, uint256 value)'])
    const { address: to } = testContracts.erc1155
    await send({ to, data: encodeFunctionData({ abi: copies, args: [safeAddress, 16n, 1n] }) })
    // The server accepts this many bytes. With the signatures, a node does not.
    const args = [safeAddress, team.stranger.address, 16n, 1n, data(130_600)] as const
    const long = encodeFunctionData({ abi: erc1155Abi, functionName: 'safeTransferFrom', args })
    const transaction = await treasury.propose({ to, data: long })
    await treasury.confirm(transaction, team.bruno)
    const remedy = /larger than nodes take: .* will most likely refuse it\. Propose its calls again as several/
    const figures = /about 131,5\d\d bytes when it is executed, and nodes take 131,072 in one transaction/
    await browser.open(treasury.transactionPath(transaction))
    await waitFor(() => expect(part('[data-execution]')).toMatch(remedy))
    expect(part('[data-execution]')).toMatch(figures)
    expect(part('[data-execution]').match(/131,5\d\d/g)).toHaveLength(1)
    await browser.open(treasury.path('/execute'))
    await expectWords(remedy)
    await expectWords(figures)
    await expectButton('Execute it', 'disabled')
  })
})

describe('a function of a contract', () => {
  const order = [
    { name: 'amount', type: 'uint256', internalType: 'uint256' },
    { name: 'kinds', type: 'uint8[2]', internalType: 'enum Exchange.Kind[2]' },
  ]
  const abi = [
    {
      type: 'function',
      name: 'place',
      stateMutability: 'nonpayable',
      outputs: [],
      inputs: [
        { name: 'side', type: 'uint8', internalType: 'enum Exchange.Side' },
        { name: 'orders', type: 'tuple[]', internalType: 'struct Exchange.Order[]', components: order },
      ],
    },
  ] as const

  test('behavior: has a field for each type; form and review name the enums, and the typed values are proposed', async () => {
    const contract = await deployCode(silent)
    await treasury.addAbi(contract, 'Exchange', JSON.stringify(abi))
    await openForm()
    await choose('Type', 'function')
    await fill('Contract', contract)
    const own = await waitFor(() => {
      const option = [...document.querySelectorAll('option')].find(({ textContent }) =>
        textContent?.includes('Exchange'),
      )
      expect(option).toBeDefined()
      return option as HTMLOptionElement
    })
    await choose('Functions from', own.value)
    await fill('side (enum Exchange.Side, uint8)', '256')
    press(await screen.findByRole('button', { name: /^Add one to orders/ }))
    const type = (field: Element, value: string) => fireEvent.change(field, { target: { value } })
    type(await screen.findByLabelText(/› amount \(uint256\)$/), '1.5e6')
    for (const [index, kind] of ['3', '4'].entries())
      type(screen.getAllByLabelText(/enum Exchange.Kind, uint8/)[index] as Element, kind)
    await pressButton('Review')
    await expectWords('“256” does not fit into uint8.')
    await fill('side (enum Exchange.Side, uint8)', '1')
    await findPart('[data-live-gas="ordinary"]')
    await pressButton('Review')
    await findPart('[data-verdict]')
    await openFold('All calls, one by one')
    await findPart('[data-call-numbers] li')
    expect([...document.querySelectorAll('[data-call-numbers] li')].map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^side: 1 is a member of the enum Exchange.Side,/),
      expect.stringMatching(/^orders\[0\].kinds\[0\]: 3 is a member of the enum Exchange.Kind,/),
      expect.stringMatching(/^orders\[0\].kinds\[1\]: 4 is a member of the enum Exchange.Kind,/),
    ])
    const { to, data } = await signAndPropose()
    const { args } = decodeFunctionData({ abi, data })
    expect({ to, args }).toEqual({ to: contract, args: [1, [{ amount: 1_500_000n, kinds: [3, 4] }]] })
  })

  test('behavior: a long list shows its first values, proposes all, and reports a later error by its number', async () => {
    const contract = await deployCode(silent)
    const listed = parseAbi(['function mark(uint256[] ids)'])
    await treasury.addAbi(contract, 'Marks', JSON.stringify(listed))
    await openForm()
    const values = Array.from({ length: 230 }, (_, index) => (index === 199 ? 'two' : String(index + 1)))
    const typed = { contract, abi: JSON.stringify(listed), args: JSON.stringify([values]), amount: '0' }
    await openDraft('function', typed)
    const fields = () => screen.getAllByLabelText(/^ids › Value [0-9]+ /)
    const field = (number: number) => screen.findByLabelText<HTMLInputElement>(`ids › Value ${number} (uint256)`)
    await expectWords('180 of 230 values are not shown. All count.')
    expect(fields()).toHaveLength(50)
    // The focus moves to the first added value.
    press(screen.getByRole('button', { name: /^Show 50 more: ids/ }))
    const added = await field(51)
    await waitFor(() => expect(document.activeElement).toBe(added))
    expect(fields()).toHaveLength(100)

    await pressButton('Review')
    await expectWords('Value 200: “two” is not a whole number.')
    const toFault = await expectButton('Show value 200', 'enabled')
    await waitFor(() => expect(document.activeElement).toBe(toFault))
    press(toFault)
    const faulty = await field(200)
    await waitFor(() => expect(document.activeElement).toBe(faulty))
    fireEvent.change(faulty, { target: { value: '200' } })
    expect(fields()).toHaveLength(101)
    // A value that is added after hidden ones is shown. Removing one moves the rest up.
    press(screen.getByRole('button', { name: /^Add one to ids/ }))
    fireEvent.change(await field(231), { target: { value: '1000' } })
    press(screen.getByRole('button', { name: /^Remove value 1 of ids/ }))
    await waitFor(async () => expect((await field(199)).value).toBe('200'))
    expect((await field(230)).value).toBe('1000')
    expect(fields()).toHaveLength(102)
    await findPart('[data-live-gas="ordinary"]')
    await pressButton('Review')
    const { args } = decodeFunctionData({ abi: listed, data: (await signAndPropose()).data })
    expect(args[0]).toEqual([...Array.from({ length: 229 }, (_, index) => BigInt(index + 2)), 1000n])
  })

  test('behavior: a proxy offers the functions of its implementation; a function that the contract lacks fails in the review', async () => {
    /** Delegates to the implementation in its EIP-1967 slot. */
    const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
    const contract = await deployCode(`0x365f5f375f5f365f7f${slot.slice(2)}545af43d5f5f3e5f3d91603757fd5bf3`)
    const rpcUrl = inject('rpcUrl')
    await requestNode(rpcUrl, 'anvil_setStorageAt', contract, slot, pad(testContracts.erc20.address))
    await requestNode(rpcUrl, 'evm_mine')
    const mintAbi = parseAbi(['function mint(address to, uint256 value)'])
    await send({ to: contract, data: encodeFunctionData({ abi: mintAbi, args: [treasury.safe.safeAddress, 1_000n] }) })
    await openForm()
    await choose('Type', 'function')
    await fill('Contract', contract)
    const guessed = await waitFor(() => {
      const option = [...document.querySelectorAll('option')].find(({ textContent }) =>
        textContent?.includes('guessed from the contract'),
      )
      expect(option).toBeDefined()
      return option as HTMLOptionElement
    })
    await fill('ABI', 'withdrawEverything(address to)')
    await choose('Function', 'withdrawEverything(address)')
    fireEvent.change(await screen.findByLabelText(/^to \(address\)/), { target: { value: team.stranger.address } })
    await pressButton('Review')
    await findPart('[data-verdict]')
    await expectWords(/would fail|fails|reverts/i)
    await pressButton('Edit')

    await choose('Functions from', guessed.value)
    await choose('Function', 'transfer(address,uint256)')
    fireEvent.change(await screen.findByLabelText(/\(address\)$/), { target: { value: team.stranger.address } })
    fireEvent.change(await screen.findByLabelText(/\(uint256\)$/), { target: { value: '7' } })
    await pressButton('Review')
    const { data } = await signAndPropose()
    const { args } = decodeFunctionData({ abi: parseAbi(['function transfer(address, uint256)']), data })
    expect(args).toEqual([team.stranger.address, 7n])
  })
})

describe('a list of payments', () => {
  /** Lower addresses cannot be owned by anyone, so the review would list each. */
  const ordinary = 1n << 150n
  const listOf = (count: number, amount = '0.01') => {
    const { address } = testContracts.erc20
    const lines = Array.from(
      { length: count },
      (_, index) => `erc20,${address},${numberToHex(ordinary + BigInt(index), { size: 20 })},${amount}`,
    )
    return ['token_type,token_address,receiver,amount', ...lines].join('\n')
  }
  const choosePayroll = async (content: string) => {
    await openFold('Pay a list')
    const fold = screen.getByText('Pay a list').closest('details') as HTMLElement
    chooseFile((await within(fold).findAllByLabelText('Or choose the file'))[0] as Element, 'payroll.csv', content)
  }

  test('behavior: errors are reported by line, and nothing is split', async () => {
    await openForm()
    await choosePayroll(listOf(3, '=1+1'))
    await expectWords('3 lines are wrong')
    await expectWords('Line 2:')
    expect(findButton('Split into transactions')).toBeNull()
  })

  test('behavior: if the payments exceed the balance, the first failing one is named, and nothing can be signed', async () => {
    await mint(treasury.safe.safeAddress, 1_000_000_000n)
    await openForm()
    // A form has room for 200 entries.
    await choosePayroll(listOf(201, '100'))
    await expectWords(/20.100 TUSD/)
    await pressEnabled('Split into transactions')
    await expectWords('Line 12: ')
    expect(findButton('Review and propose')).toBeNull()
    await pressEnabled('Discard the payout')
    press(screen.getAllByRole('button', { name: 'Discard the payout' }).at(-1) as HTMLElement)
    await screen.findByText('Pay a list')
  })
})

describe('what the form knows', () => {
  test('behavior: it suggests recipients, fills in the whole balance, and explains the nonce', async () => {
    const { relayer, stranger } = team
    await mint(treasury.safe.safeAddress, 1_000_000_000n)
    await treasury.name(relayer.address, 'Supplier')
    await treasury.propose({ to: stranger.address, value: 2n, nonce: 4n })
    treasury.paid.push(stranger.address)
    await openForm()
    await waitFor(() => {
      const known = [...document.querySelectorAll('#known-addresses option')]
      const shown = known.map((one) => `${one.getAttribute('value')} ${one.getAttribute('label')}`)
      expect(shown).toContainEqual(expect.stringMatching(new RegExp(`^${relayer.address} .*Supplier`)))
      expect(shown).toContainEqual(expect.stringMatching(new RegExp(`^${stranger.address} `)))
    })

    // The whole remaining balance, even in a second entry.
    await fill('Recipient', stranger.address)
    await pressEnabled('Max')
    expect(typedIn('Amount')).toBe('5')
    await fill('Amount', '1')
    await pressButton('Add a payment')
    await pressEnabled('Max')
    expect(typedIn('Amount')).toBe('4')
    await choose('Asset', testContracts.erc20.address)
    await pressEnabled('Max')
    expect(typedIn('Amount')).toBe('1000')
    await fill('Recipient', relayer.address)

    // The form explains the nonce in relation to the waiting transactions.
    await expectWords('Nobody has proposed 0 yet, and what is proposed from 4 on waits for it. Enter 5')
    await fill('Nonce', '3')
    await expectWords('It waits until a transaction with each nonce from 0 up to it is executed.')
    await fill('Nonce', '4')
    await expectWords(/This would replace “Send /)
    await fill('Nonce', '0')
    await pressButton('Review')
    const { data } = await signAndPropose()
    expect(data).toContain(relayer.address.slice(2).toLowerCase())
  })
})

describe('settings', () => {
  test.each(['1.1.1', '1.3.0', '1.5.0'] as const)(
    'behavior: the threshold of a Safe %s, from its settings, with before and after',
    async (version) => {
      browser.close()
      await start({ version })
      await browser.open(treasury.path('/settings'))
      press(await screen.findByRole('link', { name: 'Change the threshold' }))
      await screen.findByLabelText('Confirmations needed', { selector: 'select' })
      // Entering the current threshold changes nothing.
      await pressButton('Review')
      await expectWords('That is how it is already')
      await choose('Confirmations needed', '1')
      await waitFor(() => expect(part('[data-settings="now"]')).toContain('Now · 2 of 2'))
      await waitFor(() => expect(part('[data-settings="afterwards"]')).toContain('Afterwards · 1 of 2'))
      await pressButton('Review')
      await tickAll()
      for (const finding of document.querySelectorAll('[data-way="typed"]'))
        await typeChange(finding.getAttribute('data-demand') ?? '', '1')
      const { to, data } = await signAndPropose()
      expect(to).toBe(treasury.safe.safeAddress)
      const { args } = decodeFunctionData({ abi: parseAbi(['function changeThreshold(uint256)']), data })
      expect(args).toEqual([1n])
    },
  )

  test('behavior: dangerous orders are refused with the reason', async () => {
    await openForm()
    await choose('Type', 'remove-owner')
    await choose('Owner who leaves', team.bruno.address)
    await pressButton('Review')
    await expectWords(/The Safe then has 1 owner: with more confirmations/)
    await choose('Type', 'set-handler')
    await fill('Fallback handler', team.stranger.address)
    await expectWords('This address is not a contract, but a handler must be one.')
    await choose('Type', 'set-guard')
    await fill('Guard', testContracts.erc721.address)
    await expectWords(/the Safe could never execute anything again/)
    expect(document.querySelector('[data-propose]')?.getAttribute('data-propose')).toBe('edit')
  })
})

describe('an NFT', () => {
  test('behavior: the form says whether the Safe holds it', async () => {
    const tokenId = BigInt(Date.now())
    const mintNft = parseAbi(['function mint(address to, uint256 id)'])
    const { address: to } = testContracts.erc721
    await send({ to, data: encodeFunctionData({ abi: mintNft, args: [treasury.safe.safeAddress, tokenId] }) })
    await openForm()
    await choose('Type', 'item')
    await fill('Collection', to)
    await fill('Number of the item (token ID)', `${tokenId + 1n}`)
    await expectWords(/does not say whether the Safe holds|does not hold this item/)
    await fill('Number of the item (token ID)', `${tokenId}`)
    await expectWords('The Safe holds 1 of it.')
    await fill('Recipient', team.stranger.address)
    await pressButton('Review')
    const sent = await signAndPropose()
    expect(sent.to).toBe(to)
    expect(sent.data).toContain(numberToHex(tokenId, { size: 32 }).slice(2))
  })
})

describe('a draft of the team', () => {
  test('behavior: one owner saves it, another uses it with one press; it is removed once it is proposed', async () => {
    browser.server.answer(shareDraft, ({ name, content, isTemplate }) => {
      const id = String(drafts.length + 1)
      const draft = { id, name, content, isTemplate, author: team.anna.address, createdAt: new Date().toISOString() }
      drafts = [...drafts, draft]
      return draft
    })
    browser.server.answer(removeDraft, ({ id }) => {
      drafts = drafts.filter((draft) => draft.id !== id)
      return undefined
    })
    await openForm()
    await pay(team.stranger.address, '0.25')
    await openFold('Drafts and templates of the team')
    for (const [name, kind] of [
      ['Rent', 'template'],
      ['Once', 'draft'],
    ] as const) {
      await fill('Name', name)
      await choose('Keep it as', kind)
      await pressButton('Keep for the team')
      await waitFor(() => expect(drafts.at(-1)?.name).toBe(name))
      expect((await findPart(`[data-team-draft="${drafts.length}"]`)).textContent).toContain(name)
    }
    sessionStorage.clear()
    localStorage.clear()
    await browser.comeBack(team.bruno)
    await openForm()
    await openFold('Drafts and templates of the team')
    await pressButton('Use Once')
    expect(typedIn('Amount')).toBe('0.25')
    await pressButton('Review')
    const { value } = await signAndPropose()
    expect(value).toBe(parseEther('0.25'))
    await waitFor(() => expect(drafts.map(({ name }) => name)).toEqual(['Rent']))
  })
})

describe('a draft from someone else', () => {
  test('error: its fields show its values, even if they are out of range or not listed', async () => {
    const unlisted = await deployHostileToken(inject('rpcUrl'), team.relayer.address, 'has its texts in one word')
    await openForm()
    await openDraft('change-threshold', { threshold: '999999999' })
    const chosen = (label: string) => {
      const { options, selectedIndex } = screen.getByLabelText<HTMLSelectElement>(label, { selector: 'select' })
      return options[selectedIndex]?.textContent
    }
    await waitFor(() => expect(chosen('Confirmations needed')).toMatch(/^999.?999.?999 of 2$/))
    await pressButton('Review')
    await expectWords('Choose 2 or less')
    await pressButton('Discard the draft')
    await openDraft('transfer', { asset: unlisted.toLowerCase(), recipient: team.stranger.address, amount: '1' })
    await waitFor(() => expect(chosen('Asset')).toContain(unlisted))
  })
})

describe('a draft that was sent', () => {
  test('behavior: is not offered a second time if the answer got lost', async () => {
    await openForm()
    await pay(team.stranger.address, '0.1')
    await pressButton('Review')
    await tickAll()
    // The server keeps the proposal, but the page never receives the answer.
    const { fetch } = browser.server
    const proposed: string[] = []
    browser.server.fetch = async (url, init) => {
      const response = await fetch(url, init)
      if (init?.method !== 'POST' || !String(url).endsWith('/transactions')) return response
      proposed.push(String(url))
      throw new TypeError('Failed to fetch')
    }
    await pressEnabled('Sign and propose')
    await waitFor(() => expect(proposed.length).toBeGreaterThan(0))
    await waitFor(() => expect(document.querySelector('[role="alert"]')).not.toBeNull())
    browser.server.fetch = fetch
    await browser.open(treasury.path('/new'))
    await expectWords('This draft was proposed')
    await pressButton('Start a new one')
    await screen.findByLabelText('Amount')
    expect(typedIn('Amount')).toBe('')
  })

  test('behavior: the form reports that the same transaction waits, until the form changes', async () => {
    const transaction = await treasury.propose({ to: team.stranger.address, value: parseEther('0.1') })
    await openForm()
    await fill('Nonce', '1')
    await pay(team.stranger.address, '0.1')
    const twin = `[data-twin="${transaction.safeTxHash}"]`
    expect((await findPart(twin)).textContent).toContain('The same transaction is still waiting at nonce 0')
    await fill('Amount', '0.2')
    await expectGone(twin)
    FakeEventSource.tell({ kind: 'team', chainId: treasury.safe.chainId, safeAddress: treasury.safe.safeAddress })
    expect(findButton('Review')).not.toBeNull()
  })
})
