"""The Merkle tree is RFC 6962's: its roots, and every proof for every leaf of every small tree."""

from hashlib import sha256

import pytest

from events.checkpoints import merkle

LEAVES = [merkle.leaf_hash(bytes([number])) for number in range(40)]
# The test vectors of RFC 6962's reference implementation: roots of trees of 1 to 8 leaves.
VECTOR_LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
VECTOR_ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def by_definition(leaves: list[bytes]) -> bytes:
    """The tree's root as the RFC defines it."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return merkle.node_hash(by_definition(leaves[:split]), by_definition(leaves[split:]))


def grown(size: int) -> tuple[merkle.GrowingTree, dict[merkle.Subtree, bytes]]:
    """A tree of so many leaves, and its perfect subtrees."""
    tree, hashes = merkle.GrowingTree(), {}
    for leaf in LEAVES[:size]:
        hashes.update(tree.append(leaf))
    return tree, hashes


def test_the_published_vectors() -> None:
    leaves = [merkle.leaf_hash(bytes.fromhex(leaf)) for leaf in VECTOR_LEAVES]
    assert [merkle.root(leaves[:size]).hex() for size in range(1, 9)] == VECTOR_ROOTS


@pytest.mark.parametrize("size", range(1, len(LEAVES) + 1))
def test_every_leaf_is_proved_and_nothing_else_is(size: int) -> None:
    tree, hashes = grown(size)
    assert tree.root == by_definition(LEAVES[:size])
    for index, leaf in enumerate(LEAVES[:size]):
        path = [merkle.part_hash(*part, hashes.__getitem__) for part in merkle.inclusion(index, size)]
        assert merkle.includes(leaf, index, size, path, tree.root)
        assert not merkle.includes(LEAVES[(index + 1) % 40], index, size, path, tree.root)
        assert not merkle.includes(leaf, index, size, [*path, bytes(32)], tree.root)
        assert not merkle.includes(leaf, index, size, path, bytes(32))
        for place in range(len(path)):
            assert not merkle.includes(leaf, index, size, [*path[:place], bytes(32), *path[place + 1 :]], tree.root)
            assert not merkle.includes(leaf, index, size, [*path[:place], *path[place + 1 :]], tree.root)


@pytest.mark.parametrize("earlier", [0, 1, 7, 8, 23, 39])
def test_a_tree_goes_on_from_its_perfect_subtrees_alone(earlier: int) -> None:
    _, hashes = grown(earlier)
    tree = merkle.GrowingTree(earlier, [hashes[subtree] for subtree in merkle.peaks(0, earlier)])
    for leaf in LEAVES[earlier:]:
        list(tree.append(leaf))
    assert tree.root == by_definition(LEAVES)


@pytest.mark.parametrize(("index", "size"), [(0, 0), (1, 1), (-1, 4), (4, 4)])
def test_there_is_no_proof_for_a_leaf_that_is_not_there(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="has no leaf"):
        merkle.inclusion(index, size)
    assert not merkle.includes(LEAVES[0], index, size, [], LEAVES[0])


def continued(earlier: int, first: bytes, size: int, last: bytes, proof: list[bytes]) -> bool:
    """True if the proof holds according to RFC 9162 (2.1.4.2)."""
    path = [first, *proof] if earlier & (earlier - 1) == 0 else list(proof)
    place, end = earlier - 1, size - 1
    while place & 1:
        place, end = place >> 1, end >> 1
    old = new = path[0]
    for sibling in path[1:]:
        if end == 0:
            return False
        if place & 1 or place == end:
            old, new = merkle.node_hash(sibling, old), merkle.node_hash(sibling, new)
            while not place & 1 and place:
                place, end = place >> 1, end >> 1
        else:
            new = merkle.node_hash(new, sibling)
        place, end = place >> 1, end >> 1
    return end == 0 and (old, new) == (first, last)


def test_every_tree_is_shown_to_continue_every_earlier_one() -> None:
    _, hashes = grown(len(LEAVES))
    roots = [by_definition(LEAVES[:size]) for size in range(len(LEAVES) + 1)]
    for size in range(2, len(LEAVES) + 1):
        for earlier in range(1, size):
            proof = [merkle.part_hash(*part, hashes.__getitem__) for part in merkle.consistency(earlier, size)]
            assert continued(earlier, roots[earlier], size, roots[size], proof), (earlier, size)
            assert not continued(earlier, bytes(32), size, roots[size], proof)
