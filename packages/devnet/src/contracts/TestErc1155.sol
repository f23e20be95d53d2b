// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IErc1155Receiver {
    function onERC1155Received(address operator, address from, uint256 id, uint256 value, bytes calldata data)
        external
        returns (bytes4);

    function onERC1155BatchReceived(
        address operator,
        address from,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external returns (bytes4);
}

/// ERC-1155 for the devnet: anybody may mint.
contract TestErc1155 {
    mapping(uint256 id => mapping(address account => uint256)) private balances;
    mapping(address account => mapping(address operator => bool)) public isApprovedForAll;

    event TransferSingle(
        address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value
    );
    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );
    event ApprovalForAll(address indexed account, address indexed operator, bool approved);

    error InsufficientBalance(address account, uint256 id, uint256 balance, uint256 needed);
    error LengthsDiffer();
    error NotAllowed(address account);
    error InvalidReceiver(address receiver);

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        // ERC-165, ERC-1155, ERC-1155 Metadata
        return interfaceId == 0x01ffc9a7 || interfaceId == 0xd9b67a26 || interfaceId == 0x0e89341c;
    }

    function uri(uint256) external pure returns (string memory) {
        return "";
    }

    function balanceOf(address account, uint256 id) public view returns (uint256) {
        return balances[id][account];
    }

    function balanceOfBatch(address[] calldata accounts, uint256[] calldata ids)
        external
        view
        returns (uint256[] memory values)
    {
        if (accounts.length != ids.length) revert LengthsDiffer();
        values = new uint256[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) values[i] = balances[ids[i]][accounts[i]];
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function mint(address to, uint256 id, uint256 value) external {
        if (to == address(0)) revert InvalidReceiver(to);
        balances[id][to] += value;
        emit TransferSingle(msg.sender, address(0), to, id, value);
        acceptSingle(address(0), to, id, value, "");
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external {
        requireAllowed(from, to);
        move(from, to, id, value);
        emit TransferSingle(msg.sender, from, to, id, value);
        acceptSingle(from, to, id, value, data);
    }

    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external {
        if (ids.length != values.length) revert LengthsDiffer();
        requireAllowed(from, to);
        for (uint256 i = 0; i < ids.length; i++) move(from, to, ids[i], values[i]);
        emit TransferBatch(msg.sender, from, to, ids, values);
        if (to.code.length == 0) return;
        bytes4 answer = IErc1155Receiver(to).onERC1155BatchReceived(msg.sender, from, ids, values, data);
        if (answer != IErc1155Receiver.onERC1155BatchReceived.selector) revert InvalidReceiver(to);
    }

    function requireAllowed(address from, address to) private view {
        if (to == address(0)) revert InvalidReceiver(to);
        if (msg.sender != from && !isApprovedForAll[from][msg.sender]) revert NotAllowed(msg.sender);
    }

    function move(address from, address to, uint256 id, uint256 value) private {
        uint256 balance = balances[id][from];
        if (balance < value) revert InsufficientBalance(from, id, balance, value);
        balances[id][from] = balance - value;
        balances[id][to] += value;
    }

    function acceptSingle(address from, address to, uint256 id, uint256 value, bytes memory data) private {
        if (to.code.length == 0) return;
        bytes4 answer = IErc1155Receiver(to).onERC1155Received(msg.sender, from, id, value, data);
        if (answer != IErc1155Receiver.onERC1155Received.selector) revert InvalidReceiver(to);
    }
}
