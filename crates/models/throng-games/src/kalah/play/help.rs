//! The help text of the game.

/// The output of `help`.
pub(super) const HELP: &str = "\
Type the number of a pit to sow its stones one by one, counter-clockwise: into your following pits, your store and your
opponent's pits, but not into your opponent's store. If the last stone falls into your store, you move again. If it falls
into an empty pit of yours and the opposite pit holds stones, all of them go to your store. The game is over when a row
is empty; the stones in the other row belong to the player of that row. The player with more stones wins.

  1 2 3 ...   sow the stones of this pit
  moves       list the legal moves with their effects, and the moves so far
  hint        show the move that the computer would make
  eval        show the result of the computer's last search: value, depth, boards visited, best line
  undo, redo  take back your last move and the reply to it; make them again
  level 8     make the computer, and its hints, search 8 moves deep; level 2s: for 2 seconds; also greedy, random,
              minimax:4
  swap        exchange the players' rows
  new         start a new game from the same first board
  position    print the board as text; position BOARD: start a new game from such a text
  save FILE   write the moves to a new file
  load FILE   continue the game in a file; load FILE 7: the seventh
  help, quit

A value counts 5 for each stone in a player's store and 1 for each in the pits, minus the same for the opponent. Where the
computer has searched all lines to the end of the game, it says who wins, and by how many stones, if both sides play best.
";
