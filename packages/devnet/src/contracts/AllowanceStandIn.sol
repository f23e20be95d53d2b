// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Spender {
    function execTransactionFromModule(address to, uint256 value, bytes calldata data, uint8 operation)
        external
        returns (bool);
}

/// Stands in for the Allowance Module 0.1.1 of the Safe project, whose code no npm package carries: what a Safe sets and
/// what a delegate spends itself. Without signatures of delegates and without payments to whoever sends them.
contract AllowanceStandIn {
    struct Kept {
        uint96 amount;
        uint96 spent;
        uint16 period;
        uint32 since;
        uint16 nonce;
    }

    mapping(address => address[]) private delegatesOf;
    mapping(address => mapping(uint48 => address)) private known;
    mapping(address => mapping(address => address[])) private tokensOf;
    mapping(address => mapping(address => mapping(address => Kept))) private kept;

    function addDelegate(address delegate) external {
        uint48 id = uint48(uint160(delegate));
        require(id != 0, "no id");
        address there = known[msg.sender][id];
        require(there == address(0) || there == delegate, "id is another's");
        if (there == delegate) return;
        known[msg.sender][id] = delegate;
        delegatesOf[msg.sender].push(delegate);
    }

    function setAllowance(address delegate, address token, uint96 amount, uint16 period, uint32 base) external {
        require(delegate != address(0) && isKnown(msg.sender, delegate), "not a delegate");
        Kept memory limit = current(msg.sender, delegate, token);
        if (limit.nonce == 0) {
            limit.nonce = 1;
            tokensOf[msg.sender][delegate].push(token);
        }
        if (base > 0) {
            require(base <= minute() && period > 0, "not a period");
            limit.since = minute() - ((minute() - base) % period);
        } else if (limit.since == 0) {
            limit.since = minute();
        }
        limit.period = period;
        limit.amount = amount;
        kept[msg.sender][delegate][token] = limit;
    }

    function resetAllowance(address delegate, address token) external {
        Kept memory limit = current(msg.sender, delegate, token);
        limit.spent = 0;
        kept[msg.sender][delegate][token] = limit;
    }

    function deleteAllowance(address delegate, address token) external {
        uint16 nonce = kept[msg.sender][delegate][token].nonce;
        kept[msg.sender][delegate][token] = Kept(0, 0, 0, 0, nonce);
    }

    function executeAllowanceTransfer(
        Spender safe,
        address token,
        address to,
        uint96 amount,
        address,
        uint96 payment,
        address delegate,
        bytes calldata signature
    ) external {
        require(payment == 0 && signature.length == 0, "left out of the stand-in");
        require(msg.sender == delegate && isKnown(address(safe), delegate), "not the delegate");
        Kept memory limit = current(address(safe), delegate, token);
        require(amount > 0 && uint256(limit.spent) + amount <= limit.amount, "above the limit");
        limit.spent += amount;
        limit.nonce += 1;
        kept[address(safe)][delegate][token] = limit;
        bytes memory data = token == address(0)
            ? bytes("")
            : abi.encodeWithSignature("transfer(address,uint256)", to, uint256(amount));
        bool isPaid = token == address(0)
            ? safe.execTransactionFromModule(to, amount, data, 0)
            : safe.execTransactionFromModule(token, 0, data, 0);
        require(isPaid, "not paid");
    }

    function getDelegates(address safe, uint48 start, uint8 size)
        external
        view
        returns (address[] memory results, uint48 next)
    {
        address[] storage all = delegatesOf[safe];
        uint256 left = all.length;
        // The newest comes first; a page begins with the delegate that the one before it named.
        while (start != 0 && left > 0 && uint48(uint160(all[left - 1])) != start) left--;
        uint256 count = left < size ? left : size;
        results = new address[](count);
        for (uint256 index = 0; index < count; index++) results[index] = all[left - 1 - index];
        next = left > count ? uint48(uint160(all[left - 1 - count])) : 0;
    }

    function getTokens(address safe, address delegate) external view returns (address[] memory) {
        return tokensOf[safe][delegate];
    }

    function getTokenAllowance(address safe, address delegate, address token)
        external
        view
        returns (uint256[5] memory)
    {
        Kept memory limit = current(safe, delegate, token);
        return [uint256(limit.amount), limit.spent, limit.period, limit.since, limit.nonce];
    }

    function isKnown(address safe, address delegate) private view returns (bool) {
        return known[safe][uint48(uint160(delegate))] == delegate;
    }

    /// The limit as it is now: a new period has begun where the last is over.
    function current(address safe, address delegate, address token) private view returns (Kept memory limit) {
        limit = kept[safe][delegate][token];
        if (limit.period == 0 || limit.since + limit.period > minute()) return limit;
        limit.spent = 0;
        limit.since = minute() - ((minute() - limit.since) % limit.period);
    }

    function minute() private view returns (uint32) {
        return uint32(block.timestamp / 60);
    }
}
