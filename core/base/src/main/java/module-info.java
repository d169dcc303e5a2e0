/** Clock, seeded randomness, checks, words and strands: the only access of the upper modules to the outside world. */
module tidepool.base {
    exports tidepool.base;
}
