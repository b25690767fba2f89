package io.rollscope.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every {@link Disk} must do, whether it is real or stands in for one. */
abstract class DiskContract {
  @TempDir Path temp;
  private Disk disk;
  private Path folder;

  abstract Disk newDisk();

  @BeforeEach
  void createFolder() throws IOException {
    disk = newDisk();
    folder = temp.resolve("a").resolve("b");
    disk.createFolders(folder);
  }

  @Test
  void creatingAFolderThatExistsIsNoError() throws IOException {
    disk.createFolders(folder);
    assertThat(disk.list(folder)).isEmpty();
  }

  @Test
  void whatIsAppendedCanBeReadAtAnyOffset() throws IOException {
    write("f", "hello ");
    write("f", "world");
    assertThat(read("f", 0, 100)).isEqualTo("hello world");
    assertThat(read("f", 6, 3)).isEqualTo("wor");
    assertThat(read("f", 11, 5)).isEmpty();
    assertThat(read("f", 50, 5)).isEmpty();
  }

  @Test
  void anOpenFileKnowsItsSizeAndCanBeCut() throws IOException {
    try (AppendFile file = disk.openForAppend(folder.resolve("f"))) {
      file.write(bytes("hello world"));
      file.force();
      assertThat(file.size()).isEqualTo(11);
      file.truncate(5);
      assertThat(file.size()).isEqualTo(5);
      file.truncate(8); // longer than the file: nothing to cut
      file.write(bytes("!"));
    }
    assertThat(read("f", 0, 100)).isEqualTo("hello!");
  }

  @Test
  void namesAreListedSortedAndWithoutFolders() throws IOException {
    write("b", "");
    write("a", "");
    disk.createFolders(folder.resolve("c"));
    assertThat(disk.list(folder)).containsExactly("a", "b");
  }

  @Test
  void renamingReplaces() throws IOException {
    write("new", "new");
    write("old", "old");
    disk.rename(folder.resolve("new"), folder.resolve("old"));
    disk.forceFolder(folder);
    assertThat(disk.list(folder)).containsExactly("old");
    assertThat(read("old", 0, 100)).isEqualTo("new");
  }

  /** The journal renames the file that it is writing. */
  @Test
  void aFileStaysOpenWhenItIsRenamed() throws IOException {
    try (AppendFile file = disk.openForAppend(folder.resolve("x"))) {
      file.write(bytes("1"));
      disk.rename(folder.resolve("x"), folder.resolve("y"));
      file.write(bytes("2"));
      file.force();
    }
    assertThat(read("y", 0, 100)).isEqualTo("12");
  }

  @Test
  void deletingTwiceIsNoError() throws IOException {
    write("f", "x");
    disk.delete(folder.resolve("f"));
    disk.delete(folder.resolve("f"));
    disk.forceFolder(folder);
    assertThat(disk.list(folder)).isEmpty();
  }

  @Test
  void readingOrRenamingWhatDoesNotExistFails() {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> disk.openForRead(missing)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk.rename(missing, folder.resolve("x")))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk.list(missing)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aLockIsRefusedWhileHeldAndFreeAfterwards() throws IOException {
    Path lock = folder.resolve("lock");
    DiskLock held = disk.lock(lock, "pid 1");
    assertThatThrownBy(() -> disk.lock(lock, "pid 2"))
        .isInstanceOfSatisfying(
            DiskLockedException.class, e -> assertThat(e.holder()).isEqualTo("pid 1"));
    held.close();
    held.close();
    disk.lock(lock, "pid 3").close();
  }

  @Test
  void thereIsSpace() throws IOException {
    assertThat(disk.usableSpace(folder)).isPositive();
  }

  private void write(String name, String text) throws IOException {
    try (AppendFile file = disk.openForAppend(folder.resolve(name))) {
      file.write(bytes(text));
      file.force();
    }
  }

  private String read(String name, long offset, int length) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(length);
    try (ReadFile file = disk.openForRead(folder.resolve(name))) {
      assertThat(file.read(into, offset)).isEqualTo(into.position());
    }
    return new String(into.array(), 0, into.position(), StandardCharsets.UTF_8);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
