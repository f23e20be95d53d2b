import { hashMessage, hashTypedData, recoverAddress, stringToHex } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { writeTypedData } from '../../session/typed-data.ts'
import { createDemoProvider, type DemoPrompts } from './demo-provider.ts'

const owner1 = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const owner2 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function createStorage() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}

function createWallet() {
  const prompts = {
    chooseAccount: vi.fn<DemoPrompts['chooseAccount']>(async () => owner1),
    approve: vi.fn<DemoPrompts['approve']>(async () => true),
  }
  const node = vi.fn(async ({ method }: { method: string }): Promise<unknown> => {
    if (method === 'eth_getBlockByNumber') return { baseFeePerGas: '0x7' }
    if (method === 'eth_chainId') return '0x7a69'
    return method === 'eth_sendRawTransaction' ? '0xfeed' : '0x5208'
  })
  const storage = createStorage()
  const provider = createDemoProvider({ chainId: 31337, prompts, node, storage })
  return { provider, prompts, node, storage }
}

describe('createDemoProvider', () => {
  test('default: asks which account, signs a message after approval', async () => {
    const { provider, prompts } = createWallet()
    await expect(provider.request({ method: 'eth_accounts' })).resolves.toEqual([])
    await expect(provider.request({ method: 'eth_requestAccounts' })).resolves.toEqual([owner1])
    const signature = await provider.request({ method: 'personal_sign', params: [stringToHex('hello'), owner1] })
    expect(prompts.approve).toHaveBeenCalledWith({ kind: 'message', account: owner1, message: 'hello' })
    await expect(recoverAddress({ hash: hashMessage('hello'), signature: signature as '0x' })).resolves.toBe(owner1)
  })

  test('behavior: shows typed data with its hash, then signs it', async () => {
    const { provider, prompts } = createWallet()
    await provider.request({ method: 'eth_requestAccounts' })
    const typedData = {
      domain: { chainId: 31337, verifyingContract: owner2 },
      types: { Mail: [{ name: 'nonce', type: 'uint256' }] },
      primaryType: 'Mail',
      message: { nonce: 7n },
    } as const
    const signature = await provider.request({
      method: 'eth_signTypedData_v4',
      params: [owner1, writeTypedData(typedData)],
    })
    const hash = hashTypedData(typedData)
    expect(prompts.approve.mock.calls[0]?.[0]).toMatchObject({ kind: 'typed-data', hash })
    await expect(recoverAddress({ hash, signature: signature as '0x' })).resolves.toBe(owner1)
  })

  test('behavior: sends a transaction as a signed raw one', async () => {
    const { provider, node } = createWallet()
    await provider.request({ method: 'eth_requestAccounts' })
    const transaction = { from: owner1, to: owner2, value: '0x1', data: '0x' }
    await expect(provider.request({ method: 'eth_sendTransaction', params: [transaction] })).resolves.toBe('0xfeed')
    expect(node.mock.calls.at(-1)?.[0]).toMatchObject({
      method: 'eth_sendRawTransaction',
      params: [expect.stringMatching(/^0x02/)],
    })
  })

  test('behavior: choosing another account is announced and remembered', async () => {
    const { provider, prompts, storage, node } = createWallet()
    await provider.request({ method: 'eth_requestAccounts' })
    const changed = vi.fn()
    provider.on('accountsChanged', changed)
    prompts.chooseAccount.mockResolvedValueOnce(owner2)
    await provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] })
    expect(changed).toHaveBeenCalledWith([owner2])
    const again = createDemoProvider({ chainId: 31337, prompts, node, storage })
    await expect(again.request({ method: 'eth_accounts' })).resolves.toEqual([owner2])
  })

  test('error: 4001 when rejected, nothing is signed', async () => {
    const { provider, prompts } = createWallet()
    prompts.chooseAccount.mockResolvedValueOnce(undefined)
    await expect(provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4001 })
    await provider.request({ method: 'eth_requestAccounts' })
    prompts.approve.mockResolvedValueOnce(false)
    await expect(provider.request({ method: 'personal_sign', params: ['0x00', owner1] })).rejects.toMatchObject({
      code: 4001,
    })
  })

  test('error: -32002 while a request is open', async () => {
    const { provider, prompts } = createWallet()
    prompts.chooseAccount.mockReturnValueOnce(new Promise(() => {}))
    void provider.request({ method: 'eth_requestAccounts' })
    await expect(provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: -32002 })
  })

  test('error: 4902 for another chain, and no signature for one', async () => {
    const { provider, prompts, node } = createWallet()
    await provider.request({ method: 'eth_requestAccounts' })
    await expect(
      provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] }),
    ).rejects.toMatchObject({ code: 4902 })
    const typedData = writeTypedData({
      domain: { chainId: 1 },
      types: { Mail: [{ name: 'nonce', type: 'uint256' }] },
      primaryType: 'Mail',
      message: { nonce: 7n },
    })
    await expect(provider.request({ method: 'eth_signTypedData_v4', params: [owner1, typedData] })).rejects.toThrow(
      'devnet',
    )
    expect(prompts.approve).not.toHaveBeenCalled()
    node.mockResolvedValue('0x1')
    await expect(
      provider.request({ method: 'eth_sendTransaction', params: [{ from: owner1, to: owner2 }] }),
    ).rejects.toMatchObject({ code: 4901 })
  })

  test('error: 4100 for an account that was not chosen', async () => {
    const { provider } = createWallet()
    await provider.request({ method: 'eth_requestAccounts' })
    await expect(provider.request({ method: 'personal_sign', params: ['0x00', owner2] })).rejects.toMatchObject({
      code: 4100,
    })
  })

  test.each(['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction'])(
    'error: 4100 for %s that is approved when the page no longer sees the account',
    async (method) => {
      const { provider, prompts, node } = createWallet()
      await provider.request({ method: 'eth_requestAccounts' })
      let approve = (_isApproved: boolean) => {}
      prompts.approve.mockReturnValueOnce(
        new Promise((resolve) => {
          approve = resolve
        }),
      )
      const typedData = { domain: {}, types: { Mail: [] }, primaryType: 'Mail', message: {} }
      const params = {
        personal_sign: ['0x00', owner1],
        eth_signTypedData_v4: [owner1, JSON.stringify(typedData)],
        eth_sendTransaction: [{ from: owner1, to: owner2 }],
      }[method]
      const asked = provider.request({ method, params })
      await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
      approve(true)
      await expect(asked).rejects.toMatchObject({ code: 4100 })
      expect(node).not.toHaveBeenCalled()
    },
  )
})
