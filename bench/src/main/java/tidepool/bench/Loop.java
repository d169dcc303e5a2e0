package tidepool.bench;

/** Something that is done many times; what it returns keeps the compiler from leaving it out. */
interface Loop {
    long run(int rounds);
}
