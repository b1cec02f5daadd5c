"""Random playouts with python-chess, and its copies and lists of legal moves."""

import random

import chess
from serve import serve

chance = random.Random(1)


def playout():
    board, moves = chess.Board(), 0
    while not board.is_game_over():
        board.push(chance.choice(list(board.legal_moves)))
        moves += 1
    return moves


def positions(games=10):
    found = []
    for _ in range(games):
        board = chess.Board()
        for _ in range(80):
            if board.is_game_over():
                break
            board.push(chance.choice(list(board.legal_moves)))
            found.append(board.copy(stack=False))
    return found


BOARDS = positions()


def copies():
    for board in BOARDS:
        board.copy(stack=False)
    return len(BOARDS)


def legal():
    for board in BOARDS:
        list(board.legal_moves)
    return len(BOARDS)


serve({"playout": playout, "copy": copies, "legal": legal})
