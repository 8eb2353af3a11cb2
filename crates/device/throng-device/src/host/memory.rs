//! Memory of buffers.

use std::collections::HashMap;
use std::ops::Range;

use cubecl::backtrace::BackTrace;
use cubecl::server::IoError;
use cubecl_runtime::storage::{ComputeStorage, StorageHandle, StorageId, StorageUtilization};

/// Alignment of buffers, in bytes.
pub(super) const ALIGNMENT: usize = 32;

/// Content of memory that was not written, so that its use is noticed.
const UNWRITTEN: u8 = 0xA5;

/// The pages of all buffers.
#[derive(Debug, Default)]
pub struct Pages {
    bytes: HashMap<StorageId, Vec<u8>>,
}

/// Part of a page.
#[derive(Debug, Clone)]
pub struct Region {
    page: StorageId,
    pub bytes: Range<usize>,
}

impl ComputeStorage for Pages {
    type Resource = Region;

    fn alignment(&self) -> usize {
        ALIGNMENT
    }

    fn get(&mut self, handle: &StorageHandle) -> Region {
        let start = handle.offset() as usize;
        Region { page: handle.id, bytes: start..start + handle.size() as usize }
    }

    fn alloc(&mut self, size: u64) -> Result<StorageHandle, IoError> {
        let mut bytes = Vec::new();
        let reserved = bytes.try_reserve_exact(size as usize);
        reserved.map_err(|_| IoError::BufferTooBig { size, backtrace: BackTrace::capture() })?;
        bytes.resize(size as usize, UNWRITTEN);
        let id = StorageId::new();
        self.bytes.insert(id, bytes);
        Ok(StorageHandle::new(id, StorageUtilization { offset: 0, size }))
    }

    fn dealloc(&mut self, id: StorageId) {
        self.bytes.remove(&id);
    }

    fn flush(&mut self) {}
}

impl Pages {
    pub fn region(&mut self, region: &Region) -> &mut [u8] {
        self.bytes.get_mut(&region.page).map_or(&mut [], |page| &mut page[region.bytes.clone()])
    }

    /// Makes the content of a region undefined.
    pub fn forget(&mut self, region: &Region) {
        self.region(region).fill(UNWRITTEN);
    }

    /// Runs a launch with the buffers in these regions, which may overlap.
    pub(super) fn with_buffers<T>(&mut self, regions: &[Region], launch: impl FnOnce(&mut Buffers) -> T) -> T {
        let mut ids: Vec<StorageId> = Vec::new();
        let mut views = Vec::new();
        for region in regions {
            let page = ids.iter().position(|id| *id == region.page).unwrap_or_else(|| {
                ids.push(region.page);
                ids.len() - 1
            });
            views.push((page, region.bytes.clone()));
        }
        let pages = ids.iter().map(|id| self.bytes.remove(id).unwrap_or_default()).collect();
        let mut buffers = Buffers { pages, views };
        let result = launch(&mut buffers);
        self.bytes.extend(ids.into_iter().zip(buffers.pages));
        result
    }
}

/// The buffers of a launch.
#[derive(Debug)]
pub(super) struct Buffers {
    pages: Vec<Vec<u8>>,
    /// Page and bytes of each buffer.
    views: Vec<(usize, Range<usize>)>,
}

impl Buffers {
    /// Size of a buffer in bytes.
    pub fn size(&self, buffer: usize) -> usize {
        self.views[buffer].1.len()
    }

    /// Reads scalar number `at`, of `bytes` bytes, of a buffer.
    pub fn read(&self, buffer: usize, at: usize, bytes: usize) -> u64 {
        let (page, view) = &self.views[buffer];
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(&self.pages[*page][view.clone()][at * bytes..][..bytes]);
        u64::from_le_bytes(word)
    }

    /// Writes scalar number `at`, of `bytes` bytes, of a buffer.
    pub fn write(&mut self, buffer: usize, at: usize, bytes: usize, value: u64) {
        let (page, view) = &self.views[buffer];
        self.pages[*page][view.clone()][at * bytes..][..bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
    }
}
