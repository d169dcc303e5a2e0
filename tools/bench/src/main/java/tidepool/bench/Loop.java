package tidepool.bench;

/** A repeated operation. Its result keeps the compiler from removing it. */
interface Loop {
    long run(int rounds);
}
