import { type IntentProblem, type PaymentIntent, paymentProblems } from '@countersign/safe/compose'
import type { Address } from 'viem'
import { type AmountProblem, parseAmount } from '../../../safe/worth/amount.ts'
import { type ListRow, parseRows } from '../../../ui/form/list-rows.ts'
import { type AddressProblem, parseAddress } from '../../../ui/form/parse-address.ts'
import type { Asset } from '../read-entry.ts'
import { columnNames } from './column-names.ts'

/** Lines of one list, which is read as a whole before anything of it is sent. */
export const MAX_LINES = 50_000
const MAX_FAULTS = 100
const MAX_TOKENS = 100

/** An asset that a list may name. Only listed ones go by their symbol: any contract may claim one. */
export type ListAsset = Asset & { isListed: boolean }

/** A line that is wrong, why, and the words at fault. */
export type LineFault = { line: number; typed: string } & (
  | { about: 'address'; problem: AddressProblem }
  | { about: 'amount'; problem: AmountProblem; asset: Asset }
  | { about: 'intent'; problem: IntentProblem['reason'] }
  | { about: 'asset' | 'formula' | 'names' | 'number' | 'quotes' | 'wide' | 'empty' | 'long' }
)

/** One payment and its line, counted from 1. */
export type ListedPayment = { line: number; intent: PaymentIntent }

/**
 * A list as it was read. While it has faults there are no payments. `repeated` are the lines that pay somebody a second time
 * in the same asset, `unknown` those whose recipient nobody named.
 */
export type PaymentList = {
  payments: ListedPayment[]
  totals: { asset: Asset; amount: bigint }[]
  items: number
  repeated: number[]
  unknown: number[]
  /** Names of columns that are not part of a payment, such as its purpose. */
  ignored: string[]
  faultCount: number
  /** The first of them. */
  faults: LineFault[]
}

export type ListFacts = { safeAddress: Address; assets: readonly ListAsset[]; known: readonly Address[] }

const tokenTypes = ['native', 'erc20', 'erc721', 'erc1155', 'nft']

type Columns = Record<keyof typeof columnNames, number>
/** `width` is how many cells a line may have; `unclear` a line of names that does not tell recipient and amount. */
type Table = { rows: ListRow[]; columns: Columns; width: number; ignored?: string[]; unclear?: ListRow }

/** Lists of ours have three columns; those of the CSV Airdrop app begin with what kind of token it is. */
const ownColumns: Columns = { type: -1, recipient: 0, amount: 1, asset: 2, id: -1 }
const airdropColumns: Columns = { type: 0, asset: 1, recipient: 2, amount: 3, id: 4 }

/** Reads the bytes of a file: UTF-16, and UTF-8. What is neither comes out with U+FFFD, and is a fault. */
export function decodeList(bytes: Uint8Array): string {
  const [first, second] = bytes
  const byMark = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null
  return new TextDecoder(byMark ?? encodingByZeros(bytes)).decode(bytes)
}

const MAX_SAMPLE = 20_000

/** The encoding of a file without a mark: in UTF-16 one byte of each digit and letter of an address is zero, always the same one. */
function encodingByZeros(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' {
  const sample = bytes.subarray(0, MAX_SAMPLE)
  const zerosAt = [0, 0] as [number, number]
  sample.forEach((byte, index) => {
    if (byte === 0) zerosAt[index % 2 === 0 ? 0 : 1] += 1
  })
  const [even, odd] = zerosAt
  const isMany = Math.max(even, odd) > sample.length / 8
  if (isMany && odd > 4 * even) return 'utf-16le'
  return isMany && even > 4 * odd ? 'utf-16be' : 'utf-8'
}

/** Tokens that a list names by address, each once: their decimals have to be read before the list can be. */
export function tokensOfList(list: string): Address[] {
  const { rows, columns } = tableOf(list)
  const named = new Set<string>()
  for (const { cells } of rows) {
    const cell = cellAt(cells, columns.asset).toLowerCase()
    if (!isItem(cells, columns) && /^0x[0-9a-f]{40}$/.test(cell)) named.add(cell)
    if (named.size === MAX_TOKENS) break
  }
  return [...named].flatMap((one) => {
    const read = parseAddress(one)
    return read.ok ? [read.address] : []
  })
}

/**
 * Reads payments from a table, one in a line: recipient, amount and asset, or the columns of the CSV Airdrop app of Safe, with
 * or without a line of names above, between commas, semicolons or tabs. Nothing is taken while one line is wrong.
 */
export function parsePaymentList(list: string, { safeAddress, assets, known }: ListFacts): PaymentList {
  const { rows, columns, width, ignored = [], unclear } = tableOf(list)
  const [first] = rows
  if (unclear) return refused({ line: unclear.line, typed: unclear.cells.join(', ').slice(0, 200), about: 'names' })
  if (first === undefined) return refused({ line: 1, typed: '', about: 'empty' })
  if (rows.length > MAX_LINES) return refused({ line: MAX_LINES + 1, typed: String(rows.length), about: 'long' })
  const faults: LineFault[] = []
  const payments: ListedPayment[] = []
  const totals = new Map<Asset, bigint>()
  const seen = new Set<string>()
  const knownAddresses = new Set(known)
  const [repeated, unknown]: [number[], number[]] = [[], []]
  let faultCount = 0
  let items = 0
  for (const row of rows) {
    const read = readRow(row, columns, width, { safeAddress, assets })
    if ('about' in read) {
      faultCount += 1
      if (faults.length < MAX_FAULTS) faults.push(read)
      continue
    }
    const { intent, asset } = read
    payments.push({ line: row.line, intent })
    if (asset === null) items += 1
    else if ('amount' in intent) totals.set(asset, (totals.get(asset) ?? 0n) + intent.amount)
    const key = keyOf(intent)
    if (seen.has(key)) repeated.push(row.line)
    seen.add(key)
    if (!knownAddresses.has(intent.to)) unknown.push(row.line)
  }
  return {
    payments: faultCount === 0 ? payments : [],
    items,
    repeated,
    unknown,
    ignored,
    faultCount,
    faults,
    totals: assets.flatMap((asset) => {
      const amount = totals.get(asset)
      return amount === undefined ? [] : [{ asset, amount }]
    }),
  }
}

function refused(fault: LineFault): PaymentList {
  return { payments: [], totals: [], items: 0, repeated: [], unknown: [], ignored: [], faultCount: 1, faults: [fault] }
}

/** Whom an intent pays in what. */
function keyOf(intent: PaymentIntent): string {
  if (intent.kind === 'send-native') return intent.to
  if (intent.kind === 'send-erc20') return `${intent.to} ${intent.token}`
  return `${intent.to} ${intent.collection} ${intent.tokenId}`
}

type ReadRow = { intent: PaymentIntent; asset: Asset | null } | LineFault

function readRow(
  { line, cells, openAt }: ListRow,
  columns: Columns,
  width: number,
  facts: Omit<ListFacts, 'known'>,
): ReadRow {
  const odd = cells.find((cell) => /^[=+@]|\ufffd/.test(cell))
  if (odd !== undefined) return { line, typed: odd.slice(0, 100), about: 'formula' }
  if (openAt !== null) return { line: openAt, typed: '', about: 'quotes' }
  // `1,250` between commas is two cells: taken for 1, it would pay another amount than was meant.
  const isWide = cells.slice(width).some((cell) => cell !== '')
  if (isWide || (!isItem(cells, columns) && cellAt(cells, columns.id) !== ''))
    return { line, typed: cells.join(', ').slice(0, 200), about: 'wide' }
  const recipient = cellAt(cells, columns.recipient)
  const to = parseAddress(recipient)
  if (!to.ok) return { line, typed: recipient.slice(0, 100), about: 'address', problem: to.problem }
  const read = isItem(cells, columns)
    ? readItem(line, cells, columns, to.address)
    : readAmount(line, cells, columns, to.address, facts.assets)
  if ('about' in read) return read
  const [problem] = paymentProblems(read.intent, facts.safeAddress)
  return problem ? { line, typed: recipient, about: 'intent', problem: problem.reason } : read
}

function readAmount(
  line: number,
  cells: string[],
  columns: Columns,
  to: Address,
  assets: readonly ListAsset[],
): ReadRow {
  const named = cellAt(cells, columns.type).toLowerCase() === 'native' ? '' : cellAt(cells, columns.asset)
  const found = assets.filter((asset) => isNamed(named, asset))
  const [asset] = found
  const isMissing = named === '' && cellAt(cells, columns.type).toLowerCase() === 'erc20'
  if (asset === undefined || found.length > 1 || isMissing) return { line, typed: named.slice(0, 100), about: 'asset' }
  const typed = cellAt(cells, columns.amount)
  const amount = parseAmount(typed, asset.decimals)
  if (!amount.ok) return { line, typed: typed.slice(0, 100), about: 'amount', problem: amount.problem, asset }
  const intent: PaymentIntent =
    asset.address === null
      ? { kind: 'send-native', to, amount: amount.value }
      : { kind: 'send-erc20', token: asset.address, to, amount: amount.value }
  return { intent, asset }
}

function readItem(line: number, cells: string[], columns: Columns, to: Address): ReadRow {
  const named = cellAt(cells, columns.asset)
  const collection = parseAddress(named)
  if (!collection.ok) return { line, typed: named.slice(0, 100), about: 'asset' }
  const isMany = cellAt(cells, columns.type).toLowerCase() === 'erc1155'
  const numbers = [cellAt(cells, columns.id), isMany ? cellAt(cells, columns.amount) : '1']
  const odd = numbers.find((typed) => !/^[0-9]{1,78}$/.test(typed))
  if (odd !== undefined) return { line, typed: odd.slice(0, 100), about: 'number' }
  const [tokenId = 0n, amount = 0n] = numbers.map(BigInt)
  const item = { collection: collection.address, to, tokenId }
  return { intent: isMany ? { kind: 'send-erc1155', ...item, amount } : { kind: 'send-erc721', ...item }, asset: null }
}

function isItem(cells: readonly string[], { type }: Columns): boolean {
  return ['erc721', 'erc1155', 'nft'].includes(cellAt(cells, type).toLowerCase())
}

/** No name means the chain's coin. */
function isNamed(named: string, { address, symbol, isListed }: ListAsset): boolean {
  if (named === '' || named.toLowerCase() === 'native') return address === null
  return (isListed && named === symbol) || named.toLowerCase() === address?.toLowerCase()
}

function cellAt(cells: readonly string[], at: number): string {
  return cells[at] ?? ''
}

/** A list as Disperse takes it has spaces, or a sign of equality, between recipient and amount; read with tabs in their place. */
function withTabs(list: string): string {
  const isSpaced = /^\s*0x[0-9a-f]{40}(?: *= *| +)[^\s,;=]+(?: +[^\s,;=]+)? *(?:[\r\n]|$)/i.test(list)
  return isSpaced ? list.replace(/ *= *| +/g, '\t') : list
}

function tableOf(list: string): Table {
  const rows = parseRows(withTabs(list.replace(/^\ufeff/, '')))
  const [first] = rows
  const named = first && namedColumns(rows)
  if (first && named === 'unclear') return { rows, columns: ownColumns, width: 3, unclear: first }
  // A line of names with an open quotation mark stays, as a line at fault.
  if (named && named !== 'unclear') {
    const used = new Set(Object.values(named))
    const ignored = first.cells.filter((cell, index) => cell !== '' && !used.has(index))
    return { rows: first.openAt === null ? rows.slice(1) : rows, columns: named, width: first.cells.length, ignored }
  }
  const isAirdrop = first !== undefined && tokenTypes.includes(cellAt(first.cells, 0).toLowerCase())
  return isAirdrop ? { rows, columns: airdropColumns, width: 5 } : { rows, columns: ownColumns, width: 3 }
}

/** The columns by their names; null when the first line has none, and `unclear` when it does not tell whom to pay how much. */
function namedColumns([head, next]: readonly ListRow[]): Columns | 'unclear' | null {
  const { cells = [] } = head ?? {}
  const named = (column: keyof Columns) => {
    const names: readonly string[] = columnNames[column]
    return cells.flatMap((cell, index) => (names.includes(plainName(cell)) ? [index] : []))
  }
  const all = named('recipient')
  // A person's name may stand beside the address: `Recipient` and `Wallet`.
  const addressed = all.filter((index) => /0x[0-9a-f]{40}$/i.test(cellAt(next?.cells ?? [], index)))
  const recipients = addressed.length > 0 ? addressed : all.slice(0, 1)
  const amounts = named('amount')
  const [recipient, amount] = [recipients[0], amounts[0]]
  if (recipient === undefined || amount === undefined) return isHead(cells) ? 'unclear' : null
  if (recipients.length > 1 || amounts.length > 1) return 'unclear'
  const [type = -1, asset = -1, id = -1] = [named('type')[0], named('asset')[0], named('id')[0]]
  return { type, recipient, amount, asset, id }
}

/** Whether cells are names of columns: words without any digit, of an encoding that was read. */
function isHead(cells: readonly string[]): boolean {
  return cells.length > 1 && cells.every((cell) => !/[0-9\ufffd]|^[=+@]/.test(cell)) && cells.join('') !== ''
}

/** A name without its accents and capital letters: spreadsheets write them as they like. */
function plainName(cell: string): string {
  return cell.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[ -]/g, '_')
}
