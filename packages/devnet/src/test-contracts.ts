import { officialDeployments } from '@countersign/safe'
import {
  type Abi,
  type Address,
  concatHex,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  namehash,
  zeroHash,
} from 'viem'
import { demoAccounts } from './accounts.ts'
import { create2Send, singletonFactory } from './canonical-contracts.ts'
import compiled from './contracts/compiled.json' with { type: 'json' }
import { readCodes, requestNode, sendAll } from './node-client.ts'

export type TestContractName = keyof typeof compiled

type TestContract = { name: TestContractName; args: Hex }

const string3 = [{ type: 'string' }, { type: 'string' }, { type: 'uint8' }] as const
const string2 = [{ type: 'string' }, { type: 'string' }] as const

const erc20: TestContract = { name: 'TestErc20', args: encodeAbiParameters(string3, ['Test Dollar', 'TUSD', 6]) }
const erc721: TestContract = { name: 'TestErc721', args: encodeAbiParameters(string2, ['Test Art', 'TART']) }
const erc1155: TestContract = { name: 'TestErc1155', args: '0x' }
/** A name that somebody to pay has, and that the account gives itself. */
const supplier = { name: 'supplier.eth', address: demoAccounts[5].address }
const nameRegistry: TestContract = {
  name: 'NameRegistry',
  args: encodeAbiParameters(
    [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'address' }, { type: 'string' }],
    [
      namehash(supplier.name),
      namehash(`${supplier.address.slice(2).toLowerCase()}.addr.reverse`),
      supplier.address,
      supplier.name,
    ],
  ),
}
const slotZeroOverwrite: TestContract = { name: 'SlotZeroOverwrite', args: '0x' }

/** Where the devnet's own contracts are: the address follows from the code alone. */
export const testContracts = {
  erc20: { address: addressOf(erc20), name: 'Test Dollar', symbol: 'TUSD', decimals: 6 },
  erc721: { address: addressOf(erc721), name: 'Test Art', symbol: 'TART' },
  erc1155: { address: addressOf(erc1155) },
  nameRegistry: { address: addressOf(nameRegistry), supplier },
  /** Malicious on purpose. */
  slotZeroOverwrite: { address: addressOf(slotZeroOverwrite) },
} as const

export function testContractAbi(name: TestContractName): Abi {
  return compiled[name].abi as Abi
}

/** Puts the devnet's own contracts on the chain where they are missing. */
export async function deployTestContracts(rpcUrl: string, sender: Address): Promise<void> {
  await deployMissing(rpcUrl, sender, [erc20, erc721, erc1155, nameRegistry, slotZeroOverwrite])
}

/** Deploys an ERC-1271 wallet whose signatures are those of `owner`. The same owner gets the same address. */
export async function deployContractAccount(rpcUrl: string, sender: Address, owner: Address): Promise<Address> {
  const contract: TestContract = {
    name: 'ContractAccount',
    args: encodeAbiParameters([{ type: 'address' }], [owner]),
  }
  await deployMissing(rpcUrl, sender, [contract])
  return addressOf(contract)
}

/** Answers of `HostileAccount.sol`, in its order. */
export const hostileManners = [
  'reverts with a megabyte',
  'answers the magic in a megabyte',
  'burns all gas in a loop',
  'burns all gas at once',
  'answers the magic in four bytes',
  'answers the magic in two words',
  'answers the magic with something behind it',
  'echoes the question',
  'answers the magic once it was opened',
] as const

/** Deploys a contract that is asked for a signature and misbehaves. The same manner gets the same address. */
export async function deployHostileAccount(
  rpcUrl: string,
  sender: Address,
  manner: (typeof hostileManners)[number],
): Promise<Address> {
  const contract: TestContract = {
    name: 'HostileAccount',
    args: encodeAbiParameters([{ type: 'uint8' }], [hostileManners.indexOf(manner)]),
  }
  await deployMissing(rpcUrl, sender, [contract])
  return addressOf(contract)
}

/** Claims of `HostileToken.sol`, in its order. */
export const hostileTokenManners = [
  'imitates the test token, with a name that reorders',
  'has a name of a megabyte',
  'has 255 decimals',
  'has its texts in one word',
  'reverts with a megabyte',
  'burns all gas',
  'has texts of a length beyond bounds',
  'answers a balance in two words',
] as const

/** Deploys a token that misbehaves; of each that answers, everybody has 5,000,000. The same manner gets the same address. */
export async function deployHostileToken(
  rpcUrl: string,
  sender: Address,
  manner: (typeof hostileTokenManners)[number],
): Promise<Address> {
  const contract: TestContract = {
    name: 'HostileToken',
    args: encodeAbiParameters([{ type: 'uint8' }], [hostileTokenManners.indexOf(manner)]),
  }
  await deployMissing(rpcUrl, sender, [contract])
  return addressOf(contract)
}

/** Deploys a token that keeps a tenth of what is sent. There is one, of everybody. */
export async function deployFeeToken(rpcUrl: string, sender: Address): Promise<Address> {
  const contract: TestContract = { name: 'FeeToken', args: '0x' }
  await deployMissing(rpcUrl, sender, [contract])
  return addressOf(contract)
}

/** Deploys the contract of `Meddler.sol`, which does all that a test of simulations needs. */
export async function deployMeddler(rpcUrl: string, sender: Address): Promise<Address> {
  const contract: TestContract = { name: 'Meddler', args: '0x' }
  await deployMissing(rpcUrl, sender, [contract])
  return addressOf(contract)
}

/** Deploys a source of prices that says what it is told to. There is one, of everybody. */
export async function deployPriceFeed(rpcUrl: string, sender: Address): Promise<Address> {
  const contract: TestContract = { name: 'PriceFeed', args: '0x' }
  await deployMissing(rpcUrl, sender, [contract])
  return addressOf(contract)
}

/** Deploys a token of everybody with other decimals than the devnet's own. The same words get the same address. */
export async function deployToken(
  rpcUrl: string,
  sender: Address,
  { name, symbol, decimals }: { name: string; symbol: string; decimals: number },
): Promise<Address> {
  const contract: TestContract = { name: 'TestErc20', args: encodeAbiParameters(string3, [name, symbol, decimals]) }
  await deployMissing(rpcUrl, sender, [contract])
  return addressOf(contract)
}

/** Deploys a collection whose items say of themselves what they are told to. There is one, of everybody. */
export async function deployTestArt(rpcUrl: string, sender: Address): Promise<Address> {
  const contract: TestContract = { name: 'TestArt', args: '0x' }
  await deployMissing(rpcUrl, sender, [contract])
  return addressOf(contract)
}

/** Deploys a pool of two tokens that observed what it is told. The same tokens in the same order get the same address. */
export async function deployPricePool(
  rpcUrl: string,
  sender: Address,
  tokens: readonly [Address, Address],
): Promise<Address> {
  const contract: TestContract = {
    name: 'PricePool',
    args: encodeAbiParameters([{ type: 'address' }, { type: 'address' }], tokens),
  }
  await deployMissing(rpcUrl, sender, [contract])
  return addressOf(contract)
}

/**
 * Puts the stand-in of the Allowance Module where its release 0.1.1 is on public chains. It is not the module's code, which
 * no npm package carries: what is tried on it is what the product sends and reads.
 *
 * @throws Error when `safe` no longer knows the release
 */
export async function deployLimitModule(rpcUrl: string, sender: Address): Promise<Address> {
  const contract: TestContract = { name: 'AllowanceStandIn', args: '0x' }
  await deployMissing(rpcUrl, sender, [contract])
  const released = officialDeployments().find(({ name, version }) => name === 'AllowanceModule' && version === '0.1.1')
  if (!released) throw new Error('The Allowance Module 0.1.1 is not known.')
  const [code] = await readCodes(rpcUrl, [addressOf(contract)])
  await requestNode(rpcUrl, 'anvil_setCode', released.address, code)
  // No block vouches for code that came outside of one: until the next, every proof of the node would be wrong.
  await requestNode(rpcUrl, 'evm_mine')
  return released.address
}

async function deployMissing(rpcUrl: string, sender: Address, contracts: readonly TestContract[]): Promise<void> {
  const codes = await readCodes(rpcUrl, contracts.map(addressOf))
  const missing = contracts.filter((_, index) => codes[index] === '0x')
  await sendAll(
    rpcUrl,
    sender,
    missing.map((contract) => create2Send(singletonFactory, initCode(contract))),
  )
}

function initCode({ name, args }: TestContract): Hex {
  return concatHex([compiled[name].bytecode as Hex, args])
}

function addressOf(contract: TestContract): Address {
  return getContractAddress({
    opcode: 'CREATE2',
    from: singletonFactory,
    salt: zeroHash,
    bytecode: initCode(contract),
  })
}
