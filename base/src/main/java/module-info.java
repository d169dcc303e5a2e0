/** Clock, seeded randomness, checks, words and strands: everything the rooms above may know about the outside. */
module tidepool.base {
    exports tidepool.base;
}
