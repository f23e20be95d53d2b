import { type Address, getAddress, toHex, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeList, type ListAsset, parsePaymentList, tokensOfList } from './payment-list.ts'

const token = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const other = getAddress(`0x${'a'.repeat(40)}`)
const safeAddress = getAddress(`0x${'5'.repeat(40)}`)
const [anna, bruno] = [1, 2].map((digit) => getAddress(`0x${String(digit).repeat(40)}`)) as [Address, Address]
const assets: ListAsset[] = [
  { address: null, symbol: 'ETH', decimals: 18, isListed: true },
  { address: token, symbol: 'TUSD', decimals: 6, isListed: true },
  { address: other, symbol: 'FAKE', decimals: 2, isListed: false },
]
const facts = { safeAddress, assets, known: [anna] }
const payments = [
  { kind: 'send-native', to: anna, amount: 1_500_000_000_000_000_000n },
  { kind: 'send-erc20', token, to: bruno, amount: 1_250_000_000n },
]
const read = (list: string) => parsePaymentList(list, facts)

describe('parsePaymentList', () => {
  it.each([
    ['three columns', `${anna},1.5,ETH\n${bruno},1250,TUSD`],
    ['no asset for coin', `${anna}, 1.5\n${bruno}, 1250, ${token.toLowerCase()}`],
    [
      'names, semicolons, a mark at the start, blank lines',
      `\ufeffAmount;Receiver;Token\r\n1.5;${anna};\r\n\r\n1250;${bruno};TUSD\r\n`,
    ],
    ['tabs and quotes', `"${anna}"\t"1.5"\t"native"\n${bruno}\t1250\tTUSD`],
    [
      'the columns of the CSV Airdrop app',
      `token_type,token_address,receiver,amount,id\nnative,,${anna},1.5,\nerc20,${token},${bruno},1250,`,
    ],
    ['German names', `Empfänger;Betrag;Währung;Notiz\r\n${anna};1.5;ETH;Miete\r\n${bruno};1250;TUSD;`],
    ['Spanish names', `Destinatario,Dirección,Importe,Moneda\nAna,${anna},1.5,\nBruno,${bruno},1250,TUSD`],
    ['French names', `NOM;DESTINATAIRE;QUANTITÉ;JETON\nAnna;${anna};1.5;\nBruno;${bruno};1250;TUSD`],
    ['Chinese names', `收款方,金额,币种,备注\n${anna},1.5,,租金\n${bruno},1250,TUSD,`],
    ['spaces, as Disperse takes them', `${anna} 1.5\n${bruno}  1250 TUSD \n`],
    ['signs of equality, too', `${anna}=1.5\r\n${bruno} = 1250 TUSD`],
    ['the same without names', `native,,${anna},1.5\nerc20,${token},${bruno},1250`],
  ])('default: %s', (_, list) => {
    expect(read(list)).toMatchObject({
      payments: payments.map((intent) => ({ intent })),
      totals: [
        { asset: assets[0], amount: 1_500_000_000_000_000_000n },
        { asset: assets[1], amount: 1_250_000_000n },
      ],
      repeated: [],
      unknown: [expect.any(Number)],
      faultCount: 0,
      items: 0,
    })
  })

  it.each([
    [`Recipient,Amount,Asset,Purpose\n${anna},1.5,ETH,rent`, ['Purpose']],
    [`Empfänger;Betrag;Währung;Notiz\r\n${anna};1.5;ETH;Miete`, ['Notiz']],
    [`收款方,金额,币种,备注\n${anna},1.5,,租金`, ['备注']],
    [`Recipient,Wallet,Amount,Invoice,\nAnna,${anna},1.5,7,`, ['Recipient', 'Invoice']],
    [`token_type,token_address,receiver,amount,id\nnative,,${anna},1.5,`, []],
    [`${anna},1.5,ETH`, []],
  ])('names the columns that are not kept: %s', (list, ignored) => {
    expect(read(list)).toMatchObject({ ignored, faultCount: 0 })
    expect(read(list.replace('1.5', 'x'))).toMatchObject({ ignored, faultCount: 1 })
  })

  it('names the line at fault between spaces, too', () => {
    expect(read(`${anna} 1.5\n${bruno} 1 250 TUSD\n${bruno}\n${bruno} =1+1`)).toMatchObject({
      payments: [],
      faults: [
        { line: 2, about: 'wide' },
        { line: 3, about: 'amount' },
        { line: 4, about: 'amount', typed: '1+1' },
      ],
    })
  })

  it('reads items of collections', () => {
    const list = `token_type,token_address,receiver,amount,id\nnft,${other},${anna},,7\nerc1155,${other},${bruno},3,8`
    const { payments: found, items, totals } = read(list)
    expect(found).toEqual([
      { line: 2, intent: { kind: 'send-erc721', collection: other, to: anna, tokenId: 7n } },
      { line: 3, intent: { kind: 'send-erc1155', collection: other, to: bruno, tokenId: 8n, amount: 3n } },
    ])
    expect({ items, totals }).toEqual({ items: 2, totals: [] })
  })

  it('reads a token by its address with the decimals that were read, and never by the symbol that it claims', () => {
    expect(read(`${anna},1.25,${other}`).payments[0]?.intent).toMatchObject({ token: other, amount: 125n })
    expect(read(`${anna},1,FAKE`).faults).toMatchObject([{ line: 1, about: 'asset', typed: 'FAKE' }])
    expect(tokensOfList(`${anna},1,${other}\n${anna},1,${token.toLowerCase()}\n${bruno},1,${other}`)).toEqual([
      other,
      token,
    ])
    expect(tokensOfList(`nft,${other},${anna},,7`)).toEqual([])
  })

  it('names every line at fault, and takes nothing', () => {
    const lines: [string, string, string?][] = [
      [`${anna},1`, ''],
      ["=cmd|' /C calc'!A0,1", 'formula'],
      [`${anna},1,,=HYPERLINK("x")`, 'formula'],
      [`${anna},1,,250`, 'wide'],
      [`${anna},1,TU\ufffdSD`, 'formula'],
      [`${anna},1e9`, 'amount', 'not-a-number'],
      [`${anna},${'9'.repeat(90)}`, 'amount', 'too-large'],
      [`${anna},${'9'.repeat(10_000)}`, 'amount', 'too-large'],
      [`${anna},"1,250",TUSD`, 'amount', 'separator'],
      [`${anna},0.0000001,TUSD`, 'amount', 'too-many-decimals'],
      [`${anna},0`, 'amount', 'zero'],
      [`${anna},-1`, 'amount', 'not-a-number'],
      [`${anna}`, 'amount', 'empty'],
      [`gor:${anna},1`, 'address', 'prefix'],
      [`${token.replace('e7f', 'E7f')},1`, 'address', 'bad-checksum'],
      [',1', 'address', 'empty'],
      [`${safeAddress},1`, 'intent', 'safe-itself'],
      [`${zeroAddress},1`, 'intent', 'zero-address'],
      [`${token},1,TUSD`, 'intent', 'token-itself'],
      [`${anna},"1`, 'quotes'],
    ]
    const { faults, payments: taken } = read(lines.map(([line]) => line).join('\n'))
    expect(taken).toEqual([])
    expect(faults.map((fault) => [fault.line, fault.about, 'problem' in fault ? fault.problem : undefined])).toEqual(
      lines.slice(1).map(([, about, problem], index) => [index + 2, about, problem]),
    )
  })

  it.each([
    ['of a language that it does not know', `Ontvanger,Bedrag\n${anna},1`],
    ['without an amount', `Empfänger;Notiz\n${anna};Miete`],
    ['with two recipients', `to,wallet,amount\n${anna},${bruno},1`],
    ['with two amounts', `recipient,value,amount\n${anna},250,1`],
  ])('says which names it needs, once for all lines: %s', (_, list) => {
    const names = list.slice(0, list.indexOf('\n')).replace(/[,;]/g, ', ')
    expect(read(list)).toMatchObject({
      payments: [],
      faultCount: 1,
      faults: [{ line: 1, about: 'names', typed: names }],
    })
  })

  it('asks for a decimal point where a list is written with commas, as spreadsheets of many countries do', () => {
    expect(read(`Empfänger;Betrag\n${anna};1250,50\n${bruno};1.250,5\n${bruno};1 250`).faults).toMatchObject(
      [2, 3, 4].map((line) => ({ line, about: 'amount', problem: 'separator' })),
    )
  })

  it.each([
    ['names', `receiver,amount\n${anna},1,250`],
    ['an id that a token has none of', `erc20,${token},${anna},1,250`],
  ])('takes no amount with a separator for two cells: %s', (_, list) => {
    expect(read(list)).toMatchObject({ payments: [], faults: [{ about: 'wide' }] })
  })

  it('counts lines as the file does, also where a cell goes over several', () => {
    const list = `recipient,amount,asset,note\n${anna},1,,"two\nlines"\n\n${anna},x`
    expect(read(list).faults).toMatchObject([{ line: 5, about: 'amount' }])
  })

  it('checks the lines after a quotation mark without an end, and names the line where it opens', () => {
    const lines = [
      `recipient,amount,asset,note`,
      `${anna},1,,"to Anna`,
      `${bruno},x`,
      `gor:${anna},1`,
      `${bruno},1,TUSD`,
    ]
    expect(read(lines.join('\n')).faults).toMatchObject([
      { line: 2, about: 'quotes' },
      { line: 3, about: 'amount' },
      { line: 4, about: 'address' },
    ])
    // A mark too many in another line must not take the payments between the two for words of a note.
    const between = [...lines.slice(0, 2), `${bruno},1,TUSD`, `${bruno},2,TUSD,"`]
    expect(read(between.join('\n'))).toMatchObject({
      payments: [],
      faultCount: 2,
      faults: [
        { line: 2, about: 'quotes' },
        { line: 4, about: 'quotes' },
      ],
    })
    expect(read(`recipient,amount,"note\n${anna},1`).faults).toMatchObject([{ line: 1, about: 'quotes' }])
  })

  it('marks whom it pays twice in one asset, and whom nobody named', () => {
    const list = `${anna},1\n${bruno},1\n${anna.toLowerCase()},2\n${anna},1,TUSD`
    expect(read(list)).toMatchObject({
      repeated: [3],
      unknown: [2],
      totals: [{ amount: 4_000_000_000_000_000_000n }, { amount: 1_000_000n }],
    })
  })

  it('finds the 100 bad ones among 50,000 lines', () => {
    const isBad = (index: number) => index % 500 === 499
    const lines = Array.from({ length: 50_000 }, (_, index) =>
      isBad(index) ? `${anna},=cmd|calc` : `${toHex(index + 1, { size: 20 })},${index + 1}.5,TUSD`,
    )
    const wrong = read(lines.join('\n'))
    expect({ count: wrong.faultCount, taken: wrong.payments.length }).toEqual({ count: 100, taken: 0 })
    expect(wrong.faults.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, index) => (index + 1) * 500))
    const right = read(lines.filter((_, index) => !isBad(index)).join('\n'))
    expect(right.payments).toHaveLength(49_900)
    expect(read(`${lines.join('\n')}\n${anna},1`)).toMatchObject({ faultCount: 1, faults: [{ about: 'long' }] })
  })

  it.each([
    ['nothing', ' \n'],
    ['names alone', 'receiver,amount'],
  ])('refuses %s', (_, list) => {
    expect(read(list)).toMatchObject({ payments: [], faultCount: 1, faults: [{ about: 'empty' }] })
  })
})

describe('decodeList', () => {
  const list = `${anna},1,ETH`
  const utf16 = (isBig: boolean, mark = '\ufeff', words = list) =>
    new Uint8Array(
      [...`${mark}${words}`].flatMap((one) => {
        const code = one.charCodeAt(0)
        return isBig ? [code >> 8, code & 255] : [code & 255, code >> 8]
      }),
    )

  it.each([
    ['UTF-8', new TextEncoder().encode(list)],
    ['UTF-8 with a mark', new TextEncoder().encode(`\ufeff${list}`)],
    ['UTF-16, little end first', utf16(false)],
    ['UTF-16, big end first', utf16(true)],
    ['UTF-16 without a mark', utf16(false, '')],
    ['UTF-16 without a mark, big end first', utf16(true, '')],
    ['UTF-16 with Chinese names, without a mark', utf16(false, '', `收款方,金额,备注\n${anna},1,${'租金'.repeat(20)}`)],
  ])('reads %s', (_, bytes) => {
    expect(read(decodeList(bytes)).payments).toHaveLength(1)
  })

  it('says where the bytes of another encoding stand', () => {
    const bytes = new Uint8Array([...new TextEncoder().encode(`${anna},1,,`), 0xfc])
    expect(read(decodeList(bytes)).faults).toMatchObject([{ line: 1, about: 'formula' }])
    // "Empfänger" as older spreadsheets write it.
    const names = Uint8Array.from([...'Empf\xe4nger;Betrag\n'].map((one) => one.charCodeAt(0)))
    expect(read(decodeList(names)).faults).toMatchObject([{ line: 1, about: 'formula', typed: 'Empf\ufffdnger' }])
  })
})
