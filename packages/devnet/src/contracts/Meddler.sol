// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IModuleHost {
    function execTransactionFromModule(address to, uint256 value, bytes memory data, uint8 operation) external returns (bool);
}

/// Does, for tests, all that a contract can do to be in the way of a simulation: guard, module, target of calls and of
/// delegatecalls. By a delegatecall it writes storage of the account that runs it.
contract Meddler {
    error Refused(uint256 code);

    event Noted(bytes32 indexed what, uint256 value);

    // Far from the slots of a Safe.
    uint256 private constant BASE = 0x6d6564646c65720000000000000000000000000000000000000000000000;

    receive() external payable {}

    function set(uint256 slot, uint256 value) public payable {
        assembly {
            sstore(slot, value)
        }
    }

    /// Writes a slot and puts back what it held.
    function setAndRestore(uint256 slot, uint256 value) external payable {
        assembly {
            let before := sload(slot)
            sstore(slot, value)
            // Between the two, so that the compiler keeps both.
            pop(staticcall(gas(), 4, 0, 0, 0, 0))
            sstore(slot, before)
        }
    }

    function keepBriefly(uint256 slot, uint256 value) external payable {
        assembly {
            tstore(slot, value)
            sstore(add(slot, 1), tload(slot))
        }
    }

    /// Keeps everything that code can see of the block, the transaction and the accounts around it.
    function observe(address safe, address other) external payable {
        uint256[14] memory seen = [
            block.number,
            block.timestamp,
            uint256(uint160(address(block.coinbase))),
            block.prevrandao,
            block.basefee,
            block.gaslimit,
            block.chainid,
            uint256(blockhash(block.number - 1)),
            uint256(uint160(tx.origin)),
            tx.gasprice,
            uint256(uint160(msg.sender)),
            uint256(safe.codehash),
            other.balance,
            other.code.length
        ];
        for (uint256 index = 0; index < seen.length; index++) set(BASE + index, seen[index]);
        set(BASE + 14, gasleft());
    }

    /// Does harm only where a simulation can be told apart by the gas it has.
    function trap(uint256 limit, uint256 slot, uint256 value) external payable {
        if (gasleft() < limit && tx.gasprice > 0 && tx.origin.balance > 0) set(slot, value);
    }

    function fail(uint256 kind) public payable {
        if (kind == 0) revert("a meddler fails");
        if (kind == 1) revert Refused(7);
        if (kind == 2) assert(false);
        if (kind == 3) {
            assembly {
                invalid()
            }
        }
        if (kind == 4) {
            assembly {
                revert(0, 0)
            }
        }
        if (kind == 5) {
            assembly {
                revert(0, 0x10000)
            }
        }
    }

    function tryToFail(uint256 kind, uint256 slot) external payable {
        try this.failAfter(kind, slot) {} catch {
            emit Noted("caught", kind);
        }
    }

    function failAfter(uint256 kind, uint256 slot) external payable {
        set(slot, kind + 1);
        fail(kind);
    }

    function make(bytes memory code, uint256 salt, bool isSalted) external payable returns (address made) {
        assembly {
            switch isSalted
            case 0 { made := create(0, add(code, 32), mload(code)) }
            default { made := create2(0, add(code, 32), mload(code), salt) }
        }
        set(BASE + 100, uint256(uint160(made)));
    }

    /// Created, paid and destroyed in one transaction.
    function makeAndDestroy(address payable heir) external payable {
        Passing passing = new Passing{value: address(this).balance / 2}();
        passing.end(heir);
        emit Noted("destroyed", uint256(uint160(address(passing))));
    }

    function destroy(address payable heir) external payable {
        selfdestruct(heir);
    }

    function pay(address payable to, uint256 value) external payable {
        (bool isSent, ) = to.call{value: value}("");
        emit Noted("paid", isSent ? value : 0);
    }

    function forward(address to, bytes memory data, uint256 kind) external payable {
        bool isDone;
        if (kind == 0) (isDone, ) = to.call(data);
        if (kind == 1) (isDone, ) = to.delegatecall(data);
        if (kind == 2) (isDone, ) = to.staticcall(data);
        emit Noted("forwarded", isDone ? 1 : 0);
    }

    /// As a module: makes the Safe do something.
    function commandSafe(address safe, address to, uint256 value, bytes memory data, uint8 operation) external payable {
        IModuleHost(safe).execTransactionFromModule(to, value, data, operation);
    }

    function precompiles(bytes memory data) external payable {
        for (uint160 index = 1; index < 10; index++) {
            (bool isDone, bytes memory answer) = address(index).staticcall{gas: 200000}(data);
            set(BASE + 200 + index, isDone ? uint256(keccak256(answer)) : 1);
        }
    }

    function spin() external payable {
        while (true) {}
    }

    function readFresh(uint256 count) external payable {
        uint256 sum;
        for (uint256 index = 0; index < count; index++) {
            assembly {
                sum := add(sum, sload(keccak256(0, add(64, index))))
            }
        }
        set(BASE + 300, sum);
    }

    function fillMemory(uint256 bytes_, uint256 times) external payable {
        for (uint256 index = 0; index < times; index++) {
            assembly {
                mstore(add(0x80, bytes_), 1)
                pop(staticcall(gas(), 4, 0x80, bytes_, 0, 0))
            }
        }
    }

    function dive(uint256 depth) external payable {
        if (depth > 0) this.dive(depth - 1);
        else set(BASE + 400, 1);
    }

    // As a guard.
    function supportsInterface(bytes4) external pure returns (bool) {
        return true;
    }

    function checkTransaction(
        address to,
        uint256 value,
        bytes memory,
        uint8,
        uint256,
        uint256,
        uint256,
        address,
        address payable,
        bytes memory,
        address sender
    ) external {
        if (value == 666) revert("the guard refuses");
        set(BASE + 500, uint256(uint160(to)) ^ uint256(uint160(sender)));
    }

    function checkAfterExecution(bytes32 hash, bool isDone) external {
        set(BASE + 501, uint256(hash) ^ (isDone ? 1 : 0));
    }
}

contract Passing {
    constructor() payable {}

    function end(address payable heir) external {
        selfdestruct(heir);
    }
}
