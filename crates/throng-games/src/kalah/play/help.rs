//! The help inside a game.

/// What `help` prints.
pub(super) const HELP: &str = "\
Type the number of a pit to sow its stones one by one, counter-clockwise: into your pits, your store, the pits of the
other player, but not into the other store. A last stone in your store: you move again. A last stone in an empty pit of
yours, with stones in the opposite pit: it goes to your store with all of these. The game is over when a row is empty;
the stones of the other row belong to its player. Most stones win.

  1 2 3 ...   sow the stones of this pit
  moves       what each legal move does, and the moves so far
  hint        the move that the computer would make
  eval        what the computer saw before its last move: value, depth, boards looked at, best line
  undo, redo  take back your last move and the answer to it; make them again
  level 8     the computer searches 8 moves deep; level 2s: 2 seconds; also greedy, random, minimax:4
  swap        exchange the rows of the players
  new         a new game
  save FILE   write the moves to a new file
  load FILE   go on with a game of a file; load FILE 7: with its game number 7
  help, quit

A value counts 5 for each stone in a store and 1 for each in a pit, for the player less those of the other.
";
